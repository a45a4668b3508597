/** Remembers a limited number of keys; above it the one noted longest ago is forgotten. */
export class LatelySeen {
  readonly #most: number;
  readonly #keys = new Set<string>();

  constructor(most: number) {
    this.#most = most;
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  note(key: string): void {
    this.#keys.delete(key);
    this.#keys.add(key);
    if (this.#keys.size <= this.#most) return;
    for (const oldest of this.#keys) return this.forget(oldest);
  }

  forget(key: string): void {
    this.#keys.delete(key);
  }
}
