/** Room for jobs that run at once. */
export class Slots {
  #free: number;
  #closed = false;
  readonly #waiting: (() => void)[] = [];

  constructor(free: number) {
    this.#free = free;
  }

  /** Takes between one and so many slots, as soon as there is one; none if it is closed. */
  async take(most: number): Promise<number> {
    while (this.#free === 0 && !this.#closed) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    const taken = this.#closed ? 0 : Math.min(most, this.#free);
    this.#free -= taken;
    return taken;
  }

  give(count: number): void {
    this.#free += count;
    this.#wake();
  }

  close(): void {
    this.#closed = true;
    this.#wake();
  }

  #wake(): void {
    this.#waiting.splice(0).forEach((wake) => wake());
  }
}
