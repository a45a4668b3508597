import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import type { Stop } from '../clock.ts';
import type { Registry } from './instruments.ts';

const gcKinds: Readonly<Record<number, string>> = {
  1: 'scavenge',
  2: 'minor',
  4: 'major',
  8: 'incremental',
  16: 'weak',
};

export interface ProcessWatch {
  /** The longest the event loop kept a timer waiting since it was last asked, milliseconds. */
  longestDelayMs(): number;
  readonly stop: Stop;
}

/**
 * What the process needs of its machine: memory, processor, the waiting of its event loop, and the collecting of
 * garbage.
 */
export function watchProcess(registry: Registry, build: Readonly<Record<'version' | 'node', string>>): ProcessWatch {
  registry.gauge('lampyris_build_info', 'Which program this is; always 1.', ['version', 'node']).set(1, build);
  const resident = registry.gauge('lampyris_memory_resident_bytes', 'Resident memory of this process.');
  const heap = registry.gauge('lampyris_memory_heap_bytes', 'Used JavaScript heap.');
  const uptime = registry.counter('lampyris_uptime_seconds', 'Seconds since the start of this process.');
  const cpu = registry.counter('lampyris_cpu_seconds_total', 'Processor time of this process.', ['mode']);
  const delay = registry.gauge(
    'lampyris_event_loop_delay_seconds',
    'How long the event loop kept a timer waiting, since the last answer.',
    ['quantile'],
  );
  const collected = registry.counter('lampyris_gc_seconds_total', 'Time spent collecting garbage, by kind.', ['kind']);
  const loop = monitorEventLoopDelay({ resolution: 20 });
  const longest = monitorEventLoopDelay({ resolution: 20 });
  loop.enable();
  longest.enable();
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const kind = (entry as { detail?: { kind?: number } }).detail?.kind ?? 0;
      collected.add(entry.duration / 1000, { kind: gcKinds[kind] ?? 'other' });
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  registry.gather(() => {
    const memory = process.memoryUsage();
    const used = process.cpuUsage();
    resident.set(memory.rss);
    heap.set(memory.heapUsed);
    uptime.set(Math.round(process.uptime()));
    cpu.set(used.user / 1e6, { mode: 'user' });
    cpu.set(used.system / 1e6, { mode: 'system' });
    for (const quantile of [50, 99]) delay.set(loop.percentile(quantile) / 1e9, { quantile: String(quantile / 100) });
    delay.set(loop.max / 1e9, { quantile: '1' });
    loop.reset();
  });
  return {
    longestDelayMs() {
      const { max } = longest;
      longest.reset();
      return Math.round(max / 1e6);
    },
    stop() {
      observer.disconnect();
      loop.disable();
      longest.disable();
    },
  };
}
