import { useState, type KeyboardEvent } from 'react';

/**
 * In antd's open list Tab chooses (and unchooses) what is marked; with this it goes on to the next control, as
 * everywhere else.
 */
export function useLeaveByTab() {
  const [open, setOpen] = useState(false);
  return {
    list: { open, onOpenChange: setOpen },
    around: {
      onKeyDownCapture: (event: KeyboardEvent): void => {
        if (event.key !== 'Tab' || !open) return;
        event.stopPropagation();
        setOpen(false);
      },
    },
  };
}
