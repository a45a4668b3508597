import { useEffect, useRef, type ReactElement, type ReactNode } from 'react';

/**
 * What opens from a combobox of antd that names nothing itself: it gets the id that the combobox says it controls, and
 * its columns, which scroll, can be reached by keyboard, those too that come later.
 */
function Popup({ of, children }: { of: string; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const node = box.current;
    if (node === null) return undefined;
    const reach = (): void =>
      node.querySelectorAll<HTMLElement>('ul[role="menu"]').forEach((column) => {
        column.tabIndex = 0;
      });
    reach();
    const watch = new MutationObserver(reach);
    watch.observe(node, { childList: true, subtree: true });
    return () => watch.disconnect();
  }, []);
  return (
    <div id={`${of}_list`} ref={box}>
      {children}
    </div>
  );
}

/** For `popupRender` of the combobox with this id. */
export const popupOf =
  (id: string) =>
  (content: ReactElement): ReactElement => <Popup of={id}>{content}</Popup>;
