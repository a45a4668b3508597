import type { ReactNode } from 'react';
import { useOpen, usePageExists } from '../../frame/index.ts';
import styles from './PageLink.module.css';

type Options = Parameters<ReturnType<typeof useOpen>>[1];

/** Opens a page from a number or a name; text for an account that does not have it. */
export function PageLink({ to, options, children }: { to: string; options?: Options; children: ReactNode }) {
  const open = useOpen();
  const exists = usePageExists();
  if (!exists(to)) return <>{children}</>;
  return (
    <button type="button" className={styles.link} onClick={() => open(to, options)}>
      {children}
    </button>
  );
}
