'use strict';
(() => {
  /** By the server's clock: the viewer's may be wrong. What is less than two seconds is the way here. */
  const skew = Date.parse(document.documentElement.dataset.now) - Date.now();
  const now = () => Date.now() + (Math.abs(skew) > 2e3 ? skew : 0);
  const release = document.currentScript.src.split('/').at(-2);
  const lang = () => document.documentElement.lang;
  const units = [['day', 864e5], ['hour', 36e5], ['minute', 6e4], ['second', 1e3]];

  /** Formatters are slow to make: one for each kind and language. */
  const formatters = new Map();
  function formatter(kind, options) {
    const key = lang() + kind + JSON.stringify(options);
    if (!formatters.has(key)) formatters.set(key, new Intl[kind](lang(), options));
    return formatters.get(key);
  }

  /** The time in the viewer's zone, with the day unless it is within twelve hours. */
  const clock = (at, timeStyle, dateStyle) =>
    formatter('DateTimeFormat', { timeStyle, ...(Math.abs(at - now()) > 432e5 ? { dateStyle } : {}) }).format(at);

  /** "3 minutes ago", with the exact time of the viewer's zone on hover. */
  function tell(time) {
    const at = Date.parse(time.dateTime);
    if (Number.isNaN(at)) return;
    const left = at - now();
    if ('clock' in time.dataset) {
      time.textContent = clock(at, 'medium', 'short');
      time.title = time.dateTime;
      return;
    }
    const [unit, size] = units.find(u => Math.abs(left) >= u[1]) || units[3];
    const text = formatter('RelativeTimeFormat', { numeric: 'auto', style: 'short' }).format(Math.round(left / size), unit);
    if (time.textContent !== text) time.textContent = text;
    if (!time.title) time.title = formatter('DateTimeFormat', { dateStyle: 'medium', timeStyle: 'long' }).format(at) + '\n' + time.dateTime;
  }
  const times = root => root.querySelectorAll('time[datetime]:not([data-exact])').forEach(tell);

  /** Makes one tree like another, and leaves alone what is the same: what has the focus keeps it. */
  function patch(old, next) {
    if (old.nodeType !== next.nodeType || old.nodeName !== next.nodeName) return old.replaceWith(next.cloneNode(true));
    if (old.nodeType === 3) { if (old.data !== next.data) old.data = next.data; return; }
    if (old.nodeType !== 1) return;
    if (old.nodeName === 'TIME' && old.dateTime === next.dateTime) return;
    // What somebody has unfolded stays so.
    for (const a of [...old.attributes]) if (!next.hasAttribute(a.name) && a.name !== 'open') old.removeAttribute(a.name);
    for (const a of next.attributes) if (old.getAttribute(a.name) !== a.value) old.setAttribute(a.name, a.value);
    const was = [...old.childNodes], will = [...next.childNodes];
    will.forEach((n, i) => i < was.length ? patch(was[i], n) : old.append(n.cloneNode(true)));
    was.slice(will.length).forEach(n => n.remove());
  }

  /** Streams are held by a worker that all tabs share, so that six of them do not take all connections that a browser makes to a server. */
  const script = document.currentScript.src.replace('console.js', 'live.js');
  let wire, followed;
  const away = is => document.body.classList.toggle('away', is);
  /** Browsers without shared workers, and those that may not store anything, have one for each tab. */
  function holder() {
    try { return new SharedWorker(script); } catch { return new Worker(script); }
  }
  /** Follows the changes of this page while it is seen. */
  function live() {
    const box = document.getElementById('live');
    const url = box && !document.hidden ? new URL(box.dataset.stream, location).href : null;
    if (url === followed || !(wire || url)) return;
    if (!wire) {
      const worker = holder();
      worker.onerror = () => {
        if (worker.terminate) worker.terminate();
        wire = null;
        told.ended();
      };
      wire = worker.port || worker;
      wire.onmessage = e => { if (e.data.url === followed) told[e.data.type](e.data.html); };
    }
    followed = url;
    wire.postMessage(url);
  }
  const told = {
    page(html) {
      away(false);
      const next = document.createElement('div');
      next.innerHTML = html;
      const held = document.getElementById('live');
      if (held && next.firstElementChild) { patch(held.firstElementChild, next.firstElementChild); times(held); }
    },
    away: () => away(true),
    reload: () => location.reload(),
    /** Not at once: while servers of two releases answer in turn, the page would be loaded again and again. */
    upgraded: () => setTimeout(() => location.reload(), 6e4 - performance.now()),
    ended() { away(true); followed = null; ask(); },
  };

  /** Asks again and again for a job that runs, or is about to, and for the counts of a queue, while the page is seen and nobody writes into that part. */
  setInterval(async () => {
    const held = document.querySelector('[data-follow]');
    if (!held || document.hidden || held.querySelector('input:focus,textarea:focus')) return;
    const answer = await fetch(location.href, { redirect: 'manual', signal: AbortSignal.timeout(1e4) }).catch(() => ({}));
    // It leads to the sign-in.
    if (answer.type === 'opaqueredirect') return location.reload();
    away(!answer.ok);
    const next = answer.ok && new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById(held.id);
    if (next && held.isConnected) { patch(held, next); times(held); }
  }, 2000);

  const isPassing = status => status === 429 || status >= 500;
  let asking;
  /** Asks for this page until there is an answer, which may lead to a sign-in. The browser itself asks no more for a stream that was answered by something else. */
  function ask() {
    clearTimeout(asking);
    asking = setTimeout(() => fetch(location.href, { redirect: 'manual', signal: AbortSignal.timeout(1e4) }).then(answer => {
      if (isPassing(answer.status)) ask();
      else if (answer.ok) { away(false); live(); }
      else location.reload();
    }, ask), 3000);
  }
  document.addEventListener('htmx:sendError', () => { away(true); ask(); });

  /** A form that is refused stays as it is, with the reason beside the field that the reason names or begins with, or else at its end. */
  function refuse(form, answer) {
    const note = new DOMParser().parseFromString(answer, 'text/html').querySelector('main .note.bad');
    if (!note || !form.matches('form')) return false;
    form.querySelectorAll('.refused').forEach(old => old.remove());
    form.querySelectorAll('[aria-invalid]').forEach(old => old.removeAttribute('aria-invalid'));
    note.classList.add('refused');
    const field = form.querySelector(`[name="${CSS.escape(note.dataset.field || note.textContent.split(' ')[0])}"]:not([type=hidden])`);
    if (!field) return form.append(note), true;
    field.setAttribute('aria-invalid', 'true');
    field.after(note);
    field.focus();
    return true;
  }

  /** Takes into the page what this console answers, and nothing else: not the sign-in of the application, nor what a proxy says, nor a page of another release. */
  document.addEventListener('htmx:beforeSwap', e => {
    const { boosted, pathInfo, requestConfig, xhr } = e.detail;
    const from = xhr.getResponseHeader('Delayjob-Console');
    if (boosted) {
      if (from === release) {
        if ([400, 409, 422].includes(xhr.status) && refuse(requestConfig.elt, xhr.responseText)) e.preventDefault();
        return;
      }
      e.preventDefault();
      requestConfig.verb === 'get' ? location.assign(pathInfo.finalRequestPath) : location.reload();
      return;
    }
    away(isPassing(xhr.status));
    if (from && xhr.status < 400 && pathInfo.responsePath === pathInfo.finalRequestPath) return;
    e.preventDefault();
    if (!isPassing(xhr.status)) location.reload();
  });

  /** When the chosen moment of a chart begins and ends. A chart that changes by itself ends with the last whole step, such as a minute; others count from when their page was made. */
  function moment(chart) {
    const { from, step } = chart.dataset, made = chart.closest('[data-made]')?.dataset.made;
    const first = made ? Date.parse(made) + +from : (Math.floor(now() / step) - ends(chart) - 1) * step;
    return { begin: first + step * chart.at, end: first + step * (chart.at + 1) };
  }
  /** Tells the values of a chart at one of its moments. */
  let tip;
  function point(chart, at) {
    const lines = [...chart.querySelectorAll('[data-values]')].map(line => [line.dataset.name, line.dataset.values.split('|')]);
    const last = lines[0][1].length - 1;
    chart.at = Math.max(0, Math.min(last, at));
    const part = chart.at / last, box = chart.getBoundingClientRect();
    if (!tip?.isConnected) {
      tip = document.createElement('div');
      tip.className = 'tip';
      tip.setAttribute('role', 'status');
      document.body.append(tip);
    }
    tip.textContent = clock(moment(chart).begin, 'short', 'medium') + ': '
      + lines.map(([name, values]) => name + ' ' + (values[chart.at] || '–')).join(', ');
    tip.hidden = false;
    tip.style.left = box.left + box.width * part + 'px';
    tip.style.top = box.top + 14 + 'px';
    tip.style.setProperty('--off', '0px');
    const { left, right } = tip.getBoundingClientRect();
    tip.style.setProperty('--off', Math.max(0, 4 - left) - Math.max(0, right + 4 - innerWidth) + 'px');
  }
  /** Leads to the jobs of the moment that a chart tells of: those of its first line that is not zero then. */
  function open(chart) {
    const { begin, end } = moment(chart), time = at => new Date(at).toISOString();
    const line = [...chart.querySelectorAll('[data-values]')].find(one => !['', '0'].includes(one.dataset.values.split('|')[chart.at]));
    document.getElementById('q').value = (line?.dataset.find || chart.dataset.find) + time(begin) + '..' + time(end);
    document.querySelector('form.find').requestSubmit();
  }
  const chartOf = e => e.target.closest && e.target.closest('svg.plot');
  const ends = chart => chart.querySelector('[data-values]').dataset.values.split('|').length - 1;
  const rest = () => { if (tip) tip.hidden = true; };
  // A finger that taps does not move.
  for (const kind of ['pointermove', 'pointerdown']) document.addEventListener(kind, e => {
    const chart = chartOf(e);
    if (!chart) return rest();
    const box = chart.getBoundingClientRect();
    point(chart, Math.round((e.clientX - box.left) / box.width * ends(chart)));
  });
  document.addEventListener('focusin', e => { const chart = chartOf(e); if (chart && chart.matches(':focus-visible')) point(chart, ends(chart)); });
  document.addEventListener('focusout', rest);
  document.addEventListener('scroll', rest, { passive: true });
  document.addEventListener('click', e => chartOf(e)?.dataset.find && open(chartOf(e)));
  document.addEventListener('keydown', e => {
    const chart = chartOf(e);
    if (e.key === 'Enter' && chart?.dataset.find) open(chart);
    const to = chart && { ArrowLeft: chart.at - 1, ArrowRight: chart.at + 1, Home: 0, End: ends(chart) }[e.key];
    if (to === undefined || to === null) return;
    e.preventDefault();
    point(chart, to);
  });

  /** Says what can be done with the jobs that are selected in a list. */
  function pick() {
    const form = document.getElementById('picked'), all = [...document.querySelectorAll('input[name=job]')];
    if (!form) return;
    const picked = all.filter(box => box.checked), says = form.querySelector('[data-count]'), whole = document.querySelector('[data-all]');
    says.textContent = picked.length ? says.dataset.count.replace('{0}', picked.length) : says.dataset.none;
    form.classList.toggle('none', !picked.length);
    whole.hidden = !all.length;
    whole.checked = picked.length > 0 && picked.length === all.length;
    whole.indeterminate = picked.length > 0 && !whole.checked;
    form.querySelectorAll('button').forEach(act => {
      const fit = picked.filter(box => box.dataset.acts.split(' ').includes(act.value));
      const queues = [...new Set(fit.map(box => box.value.split('/')[0]))];
      act.disabled = !fit.length;
      act.dataset.label ??= act.textContent;
      act.textContent = act.dataset.label + (fit.length ? ` (${fit.length})` : '');
      if (act.dataset.ask) {
        const where = queues.length === 1 ? form.dataset.one.replace('{0}', queues[0]) : form.dataset.many.replace('{0}', queues.length);
        act.dataset.confirm = act.dataset.ask.replace('{0}', fit.length).replace('{1}', where);
      }
    });
  }
  document.addEventListener('change', e => {
    if (e.target.matches('[data-all]')) document.querySelectorAll('input[name=job]').forEach(box => { box.checked = e.target.checked; });
    if (e.target.matches('[data-all],[name=job]')) pick();
  });

  /** Leads to a page, a queue or a search: a few letters of its name are enough. */
  const palette = () => document.getElementById('palette');
  const place = (text, href, id) => {
    const one = document.createElement('li');
    one.setAttribute('role', 'option');
    one.id = 'place-' + id;
    one.textContent = text;
    one.dataset.href = href;
    return one;
  };
  function openPalette() {
    const box = palette();
    if (!box || box.open) return;
    const search = box.querySelector('[data-search]'), { base, queue } = box.dataset;
    box.querySelectorAll('[data-href]').forEach(one => one.remove());
    search.before(...[...document.querySelectorAll('nav a')].map((a, n) => place(a.textContent, a.href, n)));
    box.querySelector('input').value = '';
    box.showModal();
    choose();
    queues().then(names => {
      search.before(...names.map(name => place(queue + ' ' + name, base + '/queues/' + encodeURIComponent(name), 'of-' + name)));
      choose();
    });
  }
  /** The names of the queues; none if the server does not answer. */
  const queues = () => fetch(palette().dataset.base + '/places', { redirect: 'manual' })
    .then(answer => answer.ok ? answer.text() : '')
    .then(names => names ? names.split('\n') : [], () => []);
  /** Offers them where the name of one is written. */
  document.addEventListener('focusin', e => {
    if (e.target.getAttribute?.('list') === 'queues') {
      queues().then(names => document.getElementById('queues').replaceChildren(...names.map(name => new Option('', name))));
    }
  });
  /** Shows what has the letters, and selects the first of it, or the one so many steps further. */
  function choose(step) {
    const box = palette(), input = box.querySelector('input'), typed = input.value.trim(), search = box.querySelector('[data-search]');
    search.textContent = search.dataset.text.replace('{0}', typed);
    const all = [...box.querySelectorAll('[role=option]')];
    all.forEach(one => { one.hidden = one === search ? !typed : !one.textContent.toLowerCase().includes(typed.toLowerCase()); });
    const seen = all.filter(one => !one.hidden), was = seen.findIndex(one => one.ariaSelected === 'true');
    const chosen = seen[step ? (Math.max(was, 0) + step + seen.length) % seen.length : 0];
    all.forEach(one => one.setAttribute('aria-selected', one === chosen));
    input.setAttribute('aria-activedescendant', chosen ? chosen.id : '');
    if (chosen) chosen.scrollIntoView({ block: 'nearest' });
  }
  function go(to) {
    const box = palette();
    if (to) location.assign(to.dataset.href || box.dataset.base + '/search?q=' + encodeURIComponent(box.querySelector('input').value.trim()));
  }
  document.addEventListener('input', e => { if (e.target.closest('#palette')) choose(); });
  document.addEventListener('click', e => { if (e.target.closest('#places')) go(e.target.closest('[role=option]')); });
  document.addEventListener('keydown', e => {
    if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === 'k') { e.preventDefault(); openPalette(); return; }
    if (!e.target.closest('#palette') || e.isComposing) return;
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    if (e.key === 'Enter') go(palette().querySelector('[aria-selected=true]'));
    else if (steps[e.key]) { e.preventDefault(); choose(steps[e.key]); }
  });

  /** Lets the rows that a table shows be sorted by its columns. Pages that change by themselves keep their order. */
  function sortable() {
    document.querySelectorAll('table:has(tr[data-row]) th').forEach(head => {
      if (head.closest('#live,[data-follow]') || head.querySelector('button,input,.unseen') || !head.textContent.trim()) return;
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'sort';
      button.append(...head.childNodes);
      head.append(button);
    });
  }
  function sort(head) {
    const down = head.ariaSort === 'ascending', body = head.closest('table').tBodies[0];
    const value = row => {
      const cell = row.cells[head.cellIndex];
      // 1,234 is a number to the collator once it has no separators.
      return cell?.querySelector('time')?.dateTime ?? cell?.textContent.trim().replace(/(\d)[,.\u00a0\u202f](?=\d{3})/g, '$1') ?? '';
    };
    const { compare } = formatter('Collator', { numeric: true });
    const all = [...body.querySelectorAll(':scope > tr[data-row]')], behind = all.at(-1).nextSibling;
    all.sort((a, b) => (down ? -1 : 1) * compare(value(a), value(b))).forEach(row => body.insertBefore(row, behind));
    head.parentNode.querySelectorAll('[aria-sort]').forEach(other => { other.ariaSort = null; });
    head.ariaSort = down ? 'descending' : 'ascending';
  }
  document.addEventListener('click', e => { const by = e.target.closest('button.sort'); if (by) sort(by.closest('th')); });

  const rows = () => [...document.querySelectorAll('tr[data-row]')];
  function move(step) {
    const all = rows();
    if (!all.length) return;
    const at = Math.max(0, Math.min(all.length - 1, all.indexOf(document.activeElement.closest('tr[data-row]')) + step));
    const link = all[at].querySelector('a');
    if (link) link.focus();
  }
  const keys = {
    '/': () => document.getElementById('q').focus(),
    j: () => move(1),
    k: () => move(-1),
    x: () => document.activeElement.closest('tr[data-row]')?.querySelector('[name=job]')?.click(),
    '?': () => document.getElementById('keys').showModal(),
    g: () => { document.querySelector('nav a').click(); },
    e: () => { document.querySelector('nav a[data-key=e]').click(); },
  };
  document.addEventListener('keydown', e => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.target.matches('input:not([type=checkbox]),textarea,select')) {
      if (e.key === 'Escape' && !e.target.closest('dialog')) e.target.blur();
      return;
    }
    if (keys[e.key]) { e.preventDefault(); keys[e.key](); }
  });
  document.addEventListener('submit', e => {
    const ask = (e.submitter && e.submitter.dataset.confirm) || e.target.dataset.confirm;
    if (ask && !confirm(ask)) { e.preventDefault(); e.stopImmediatePropagation(); }
  }, true);
  document.addEventListener('visibilitychange', live);
  document.addEventListener('htmx:afterSettle', e => { times(e.target); pick(); sortable(); live(); });
  window.addEventListener('pagehide', () => wire && wire.postMessage(null));
  window.addEventListener('pageshow', e => e.persisted && location.reload());
  setInterval(() => document.hidden || times(document), 1000);
  const again = () => {
    const late = document.querySelector('[data-again]');
    if (late) setTimeout(() => late.isConnected && location.reload(), 1000 * late.dataset.again);
  };
  document.addEventListener('htmx:afterSettle', again);
  /** The focus goes from the search box to the first job that was found, so that keys move on from there: whichever part of the answer has it. */
  let sought = false;
  const inBox = () => document.activeElement.id === 'q';
  document.addEventListener('input', e => { if (e.target.id === 'q') sought = false; });
  document.addEventListener('htmx:afterSettle', e => {
    sought ||= e.detail.requestConfig.elt.matches('form.find');
    if (sought && inBox()) {
      move(1);
      sought = inBox();
    }
  });
  const begin = () => { times(document); pick(); sortable(); live(); };
  document.readyState === 'loading' ? document.addEventListener('DOMContentLoaded', begin) : begin();
})();
