import type { ReactNode } from 'react';
import { useOpen } from '../../frame/index.ts';
import styles from './device.module.css';

/** Opens a page of the console in its tab; where a key asks for a window or tab of its own that is the browser's. */
export function AddressLink({ address, children }: { address: string; children: ReactNode }) {
  const open = useOpen();
  return (
    <a
      href={address}
      className={styles.link}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        open(address);
      }}
    >
      {children}
    </a>
  );
}
