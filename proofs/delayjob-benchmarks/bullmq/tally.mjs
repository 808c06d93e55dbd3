import { build, encodeIntoCompressedBase64 } from 'hdr-histogram-js';

const LONGEST_MICROS = 3_600_000_000;

/** What has run in this process of the jobs of one prefix. */
export class Tally {
  #lateness = build({ highestTrackableValue: LONGEST_MICROS, numberOfSignificantValueDigits: 3 });
  #ids = new Uint8Array(1 << 16);
  #runs = 0;
  #failed = 0;
  #early = 0;
  #earliest = Infinity;
  #first = Infinity;
  #last = 0;

  distinct = 0;

  /** A run has begun. */
  begun(nowMillis, dueMillis) {
    const late = (nowMillis - dueMillis) * 1000;
    this.#earliest = Math.min(this.#earliest, late);
    this.#first = Math.min(this.#first, nowMillis);
    this.#early += late < 0 ? 1 : 0;
    this.#lateness.recordValue(Math.max(0, Math.min(late, LONGEST_MICROS)));
  }

  /** A run has ended well. */
  ended(nowMillis, number) {
    this.#runs++;
    this.#last = Math.max(this.#last, nowMillis);
    this.#see(number);
  }

  /** An attempt has been made to fail. */
  failed() {
    this.#failed++;
  }

  #see(number) {
    const position = number >> 3;
    while (position >= this.#ids.length) {
      const longer = new Uint8Array(this.#ids.length * 2);
      longer.set(this.#ids);
      this.#ids = longer;
    }
    const bit = 1 << (number & 7);
    this.distinct += this.#ids[position] & bit ? 0 : 1;
    this.#ids[position] |= bit;
  }

  /** All of it, as the driver reads it. */
  report() {
    return {
      runs: this.#runs,
      distinct: this.distinct,
      duplicates: this.#runs - this.distinct,
      failed: this.#failed,
      early: this.#early,
      earliestMicros: this.#runs ? this.#earliest : 0,
      firstRunMillis: this.#runs ? this.#first : 0,
      lastRunMillis: this.#last,
      lateness: encodeIntoCompressedBase64(this.#lateness),
      ids: Buffer.from(this.#ids).toString('base64'),
    };
  }
}
