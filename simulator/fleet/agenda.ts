/**
 * What is to happen and when, in one queue with one timer: thousands of lamps cost nothing while none of them is due.
 */
export interface Agenda {
  /** Runs `action` at a time (epoch ms); one that is over is run at once. Returns how to call it off. */
  at(time: number, action: () => void): () => void;
  stop(): void;
}

interface Entry {
  readonly time: number;
  readonly order: number;
  action: (() => void) | null;
}

/** Longest stretch of work before the loop turns, ms: messages that come in are not kept waiting. */
const sliceMs = 10;

export function createAgenda(now: () => number = Date.now): Agenda {
  const heap: Entry[] = [];
  let order = 0;
  let timer: NodeJS.Timeout | undefined;
  let immediate: NodeJS.Immediate | undefined;
  let stopped = false;

  const earlier = (a: Entry, b: Entry): boolean => a.time < b.time || (a.time === b.time && a.order < b.order);
  const push = (entry: Entry): void => {
    let index = heap.push(entry) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent] as Entry;
      if (earlier(above, entry)) break;
      heap[index] = above;
      heap[parent] = entry;
      index = parent;
    }
  };
  const pop = (): Entry | undefined => {
    const first = heap[0];
    const last = heap.pop();
    if (!first || !last || heap.length === 0) return first;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= heap.length) break;
      const right = heap[child + 1];
      if (right && earlier(right, heap[child] as Entry)) child++;
      const below = heap[child] as Entry;
      if (earlier(last, below)) break;
      heap[index] = below;
      index = child;
    }
    heap[index] = last;
    return first;
  };
  const arm = (): void => {
    if (stopped || immediate) return;
    if (timer) clearTimeout(timer);
    const first = heap[0];
    timer = first && setTimeout(run, Math.min(2 ** 30, Math.max(0, first.time - now())));
  };
  const run = (): void => {
    immediate = undefined;
    const began = performance.now();
    // Stopping empties the heap.
    while (heap[0] && heap[0].time <= now()) {
      pop()?.action?.();
      if (performance.now() - began > sliceMs) {
        immediate = setImmediate(run);
        return;
      }
    }
    arm();
  };
  return {
    at(time, action) {
      const entry: Entry = { time, order: order++, action };
      push(entry);
      if (heap[0] === entry) arm();
      return () => {
        entry.action = null;
      };
    },
    stop() {
      stopped = true;
      if (timer) clearTimeout(timer);
      if (immediate) clearImmediate(immediate);
      heap.length = 0;
    },
  };
}
