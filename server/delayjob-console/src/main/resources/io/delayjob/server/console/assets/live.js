'use strict';
/** Follows streams for the tabs of a browser: one for all that show the same. A browser without shared workers runs it for each tab. */
const streams = new Map();

class Stream {
  constructor(url) {
    this.url = url;
    this.ports = new Set();
    this.lines = [];
    this.wait();
    const source = this.source = new EventSource(url);
    source.onmessage = e => { this.lines = e.data.split('\t'); this.show(); };
    source.addEventListener('changes', e => {
      for (const change of e.data ? e.data.split('\t') : []) {
        const at = change.indexOf(' ');
        this.lines[change.slice(0, at)] = change.slice(at + 1);
      }
      this.show();
    });
    source.addEventListener('away', () => { this.wait(); this.lose(); });
    source.addEventListener('reload', () => this.tell('reload'));
    source.addEventListener('upgraded', () => { this.wait(); this.upgraded = true; this.tell('upgraded'); });
    source.onerror = () => source.readyState === EventSource.CLOSED ? this.fail() : this.lose();
  }
  /** A server says something every second. A connection that was cut without a word is noticed by its silence. */
  wait() {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.fail(), 15e3);
  }
  fail() {
    this.end();
    this.tell('ended');
  }
  end() {
    clearTimeout(this.silence);
    this.source.close();
    if (streams.get(this.url) === this) streams.delete(this.url);
  }
  lose() {
    this.away = true;
    this.tell('away');
  }
  show() {
    this.away = false;
    this.wait();
    this.tell('page');
  }
  tell(type, ports = this.ports) {
    const html = type === 'page' ? this.lines.join('\n') : null;
    ports.forEach(port => port.postMessage({ type, url: this.url, html }));
  }
  /** A tab that joins is told what the others know. */
  add(port) {
    this.ports.add(port);
    if (this.lines.length) this.tell('page', [port]);
    if (this.upgraded) this.tell('upgraded', [port]);
    if (this.away) this.tell('away', [port]);
  }
  remove(port) {
    this.ports.delete(port);
    if (!this.ports.size) this.end();
  }
}

/** A tab says what it follows from now on, or null. */
function serve(port) {
  let stream;
  const leave = () => {
    if (stream) stream.remove(port);
    stream = null;
  };
  port.onclose = leave;
  port.onmessage = e => {
    leave();
    if (!e.data) return;
    stream = streams.get(e.data) || new Stream(e.data);
    streams.set(e.data, stream);
    stream.add(port);
  };
}

'onconnect' in self ? self.onconnect = e => serve(e.ports[0]) : serve(self);
