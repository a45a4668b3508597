import type { DropdownProps } from 'antd';
import { useLayoutEffect, useRef, useState, type ComponentType, type ReactElement } from 'react';
import { loadChunk } from '../errors/load-screen.ts';

type Dropdown = ComponentType<DropdownProps>;
let loaded: Dropdown | undefined;

/** The menu's code, fetched when somebody points at a button that opens one. */
export async function loadDropdown(): Promise<Dropdown> {
  loaded ??= (await loadChunk('dropdown', () => import('../../fields/antd/Dropdown.ts'))).default;
  return loaded;
}

interface Props extends Pick<DropdownProps, 'menu' | 'placement'> {
  readonly onOpen?: (open: boolean) => void;
  /** The button that opens it. */
  readonly children: ReactElement;
}

/** A button with a menu. The menu's code comes when the button is pointed at or focused, at the latest when pressed. */
export function MenuOf({ menu, placement, onOpen, children }: Props) {
  const place = useRef<HTMLSpanElement>(null);
  const [Menu, setMenu] = useState(() => loaded);
  const [open, setOpen] = useState(false);
  const focused = useRef(false);
  const change = (to: boolean): void => {
    setOpen(to);
    onOpen?.(to);
  };
  const arm = (): void => {
    if (Menu) return;
    loadDropdown().then(
      (it) => {
        focused.current = place.current?.contains(document.activeElement) === true;
        setMenu(() => it);
      },
      () => setOpen(false),
    );
  };
  // The button is made anew with its menu around it; who stood on it stands on it still.
  useLayoutEffect(() => {
    if (Menu && focused.current) place.current?.querySelector('button')?.focus();
    focused.current = false;
  }, [Menu]);
  return (
    <span
      ref={place}
      style={{ display: 'contents' }}
      {...(Menu
        ? {}
        : {
            onPointerEnter: arm,
            onFocus: arm,
            onClick: () => {
              change(true);
              arm();
            },
          })}
    >
      {Menu ? (
        <Menu
          trigger={['click']}
          open={open}
          onOpenChange={change}
          {...(menu ? { menu } : {})}
          {...(placement ? { placement } : {})}
        >
          {children}
        </Menu>
      ) : (
        children
      )}
    </span>
  );
}
