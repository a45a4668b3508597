import { createStore } from 'zustand/vanilla';

export interface Toast {
  id: number;
  kind: 'done' | 'note' | 'warning' | 'failed';
  text: string;
  /** One verb. */
  action?: { text: string; onClick: () => void };
  /** Milliseconds; undefined: stays until it is closed. */
  lasts?: number;
  /** What makes it another one than those that say the same; undefined: nothing does. */
  key?: string;
}

const AT_ONCE = 4;
let nextId = 1;

export const toasts = createStore<readonly Toast[]>(() => []);

export function dismissToast(id: number): void {
  toasts.setState(
    toasts.getState().filter((toast) => toast.id !== id),
    true,
  );
}

/** No more than `AT_ONCE`, the newest; what must be read makes room for nothing. */
function fitting(all: readonly Toast[]): readonly Toast[] {
  const tooMany = all.filter(({ lasts }) => lasts !== undefined).slice(0, Math.max(0, all.length - AT_ONCE));
  return all.filter((toast) => !tooMany.includes(toast));
}

/** Shows a toast bottom right; the same text twice is one, unless each has its own key. Returns its id. */
function show(toast: Omit<Toast, 'id'>): number {
  const same = toasts
    .getState()
    .find(({ text, kind, key }) => text === toast.text && kind === toast.kind && key === toast.key);
  if (same) return same.id;
  const id = nextId++;
  toasts.setState(fitting([...toasts.getState(), { ...toast, id }]), true);
  if (toast.lasts !== undefined) setTimeout(() => dismissToast(id), toast.lasts);
  return id;
}

const withAction = (action: Toast['action']): Pick<Toast, 'action'> => (action ? { action } : {});

/** Long enough to read two sentences; one that offers something stays a little longer. */
const FAILED_MS = 8_000;
const OFFERED_MS = 15_000;

/** Another page is shown: what failed on the one before is no longer in the way. */
export function leaveFailures(): void {
  toasts.setState(
    toasts.getState().filter(({ kind, lasts }) => kind !== 'failed' || lasts === undefined),
    true,
  );
}

/**
 * `toast.done('…')`, `toast.failed('…', { text: 'Retry', onClick })`. All of them leave by themselves but `mustRead`,
 * which stays until it is closed.
 */
export const toast = {
  done: (text: string, action?: Toast['action']) =>
    show({ kind: 'done', text, lasts: action ? 10_000 : 4_000, ...withAction(action) }),
  note: (text: string, action?: Toast['action']) => show({ kind: 'note', text, lasts: 6_000, ...withAction(action) }),
  warning: (text: string, lasts = 3_000, action?: Toast['action']) =>
    show({ kind: 'warning', text, lasts, ...withAction(action) }),
  failed: (text: string, action?: Toast['action']) =>
    show({ kind: 'failed', text, lasts: action ? OFFERED_MS : FAILED_MS, ...withAction(action) }),
  mustRead: (text: string, more: Pick<Toast, 'action' | 'key'> = {}) => show({ kind: 'failed', text, ...more }),
};
