import { setTimeout as sleep } from 'node:timers/promises';
import { build, encodeIntoCompressedBase64 } from 'hdr-histogram-js';
import { Contender } from './contender.mjs';
import { Tally } from './tally.mjs';

const BEHIND_MILLIS = 5;
const TEXT = 'an order to be closed; ';
const PAYLOAD = payload(128);
const LONGEST_NANOS = 600_000_000_000;

/** Does the driver's commands with one contender; the commands and answers are those of ContenderMain. */
export class Session {
  #tallies = new Map();
  #contender;

  async answer(command) {
    switch (command.do) {
      case 'open':
        this.#contender = new Contender(command.store);
        return { settings: this.#contender.settings() };
      case 'consume':
        return this.#consume(command);
      case 'submit':
        return this.#submit(command);
      case 'flow':
        return this.#flow(command);
      case 'await':
        return this.#await(command);
      case 'report':
        return { ...this.#tally(command.prefix).report(), cpuMillis: cpuMillis() };
      case 'close':
        await this.#contender?.close();
        return {};
      default:
        throw new Error(`no such command: ${command.do}`);
    }
  }

  #tally(prefix) {
    if (!this.#tallies.has(prefix)) {
      this.#tallies.set(prefix, new Tally());
    }
    return this.#tallies.get(prefix);
  }

  async #consume({ workers, workMillis = 0, failEvery = 0 }) {
    await this.#contender.consume(workers, async (id, dueMillis, attempt) => {
      const dash = id.lastIndexOf('-');
      const tally = this.#tally(id.slice(0, dash));
      const number = Number(id.slice(dash + 1));
      if (attempt === 1 && failEvery > 0 && number % failEvery === 0) {
        tally.failed();
        throw new Error('told to fail');
      }
      tally.begun(Date.now(), dueMillis);
      if (workMillis > 0) {
        await sleep(workMillis);
      }
      tally.ended(Date.now(), number);
    });
    return {};
  }

  async #submit(command) {
    const { count, mode = 'bulk', threads = 1, batch = 500 } = command;
    const stride = mode === 'single' ? 1 : batch;
    const job = series(command);
    const errors = [];
    const durations = build({ highestTrackableValue: LONGEST_NANOS, numberOfSignificantValueDigits: 3 });
    const start = performance.now();
    await crew(threads, count, stride, async (position) => {
      const jobs = Array.from({ length: Math.min(stride, count - position) }, (_, i) => job(position + i));
      const begun = performance.now();
      const submitted = mode === 'single' ? this.#contender.submit(jobs[0]) : this.#contender.submitAll(jobs);
      await submitted.catch((error) => errors.push(error));
      durations.recordValue(Math.round((performance.now() - begun) * 1e6));
    });
    return {
      elapsedMillis: performance.now() - start,
      durations: encodeIntoCompressedBase64(durations),
      errors: errors.length,
      firstError: String(errors[0] ?? ''),
    };
  }

  async #flow({ prefix, perSecond, seconds, maxDelayMillis = 0, threads = 1 }) {
    const count = perSecond * seconds;
    const startMillis = Date.now();
    const start = performance.now();
    let behind = 0;
    let errors = 0;
    await crew(threads, count, 1, async (number) => {
      const at = (number * 1000) / perSecond;
      await until(start + at);
      behind += performance.now() - start - at > BEHIND_MILLIS ? 1 : 0;
      const dueMillis = startMillis + Math.floor(at) + Math.floor(Math.random() * (maxDelayMillis + 1));
      await this.#contender.submit({ id: `${prefix}-${number}`, dueMillis, payload: PAYLOAD }).catch(() => errors++);
    });
    return { count, behind, errors };
  }

  async #await({ prefix, count, seconds = 0 }) {
    const end = performance.now() + seconds * 1000;
    const tally = this.#tally(prefix);
    while (tally.distinct < count && performance.now() < end) {
      await sleep(2);
    }
    return { distinct: tally.distinct };
  }
}

/** Loops that share the positions from 0 to count. */
async function crew(size, count, stride, step) {
  let next = 0;
  const loop = async () => {
    for (let position = next; position < count; position = next) {
      next += stride;
      await step(position);
    }
  };
  await Promise.all(Array.from({ length: size }, loop));
}

async function until(time) {
  for (let left = time - performance.now(); left > 0; left = time - performance.now()) {
    await sleep(Math.ceil(left));
  }
}

/** Jobs with numbers in a row, their due times spread evenly. */
function series({ prefix, from = 0, count, dueMillis, spreadMillis = 0, characters = 128 }) {
  const carried = payload(characters);
  return (position) => ({
    id: `${prefix}-${from + position}`,
    dueMillis: dueMillis + Math.floor((spreadMillis * position) / count),
    payload: carried,
  });
}

function payload(characters) {
  return TEXT.repeat(characters / TEXT.length + 1).slice(0, characters);
}

function cpuMillis() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
