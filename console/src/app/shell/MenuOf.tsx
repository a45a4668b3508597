import type { DropdownProps } from 'antd';
import { useRef, useState, type ComponentType, type CSSProperties, type ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { loadChunk } from '../../api/load-chunk.ts';
import { toast } from '../../parts/index.ts';

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

/** Where the button is, in px of the window. */
const placeOf = ({ left, top, width, height }: DOMRect): CSSProperties => ({ left, top, width, height });

/**
 * A button with a menu. The menu's code comes when the button is pointed at or focused, at the latest when pressed; it
 * opens at a place laid over the button, so that the button stays the same one and no press of it is lost.
 */
export function MenuOf({ menu, placement, onOpen, children }: Props) {
  const { t } = useTranslation('shell');
  const here = useRef<HTMLSpanElement>(null);
  const [Menu, setMenu] = useState(() => loaded);
  const [place, setPlace] = useState<CSSProperties>();
  const [open, setOpen] = useState(false);
  // The menu closes as the pointer goes down beside it, and the button is beside it.
  const wasOpen = useRef(false);
  const button = (): HTMLElement | null | undefined => here.current?.querySelector('button');
  const change = (to: boolean): void => {
    const box = button()?.getBoundingClientRect();
    if (to && box) setPlace(placeOf(box));
    if (!to && document.activeElement?.closest('.ant-dropdown')) button()?.focus();
    setOpen(to);
    onOpen?.(to);
  };
  const arm = async (): Promise<boolean> => {
    try {
      const it = await loadDropdown();
      setMenu(() => it);
      return true;
    } catch {
      return false;
    }
  };
  const press = (isOpen: boolean): void => {
    change(!isOpen);
    if (isOpen || Menu) return;
    void arm().then((came) => {
      if (came) return;
      change(false);
      toast.failed(t('chunk.text'), { text: t('reload'), onClick: () => window.location.reload() });
    });
  };
  return (
    <>
      <span
        ref={here}
        role="presentation"
        style={{ display: 'contents' }}
        onPointerEnter={() => void arm()}
        onFocus={() => void arm()}
        onPointerDown={() => {
          wasOpen.current = open;
        }}
        // A key presses it without a pointer.
        onClick={({ detail }) => press(detail === 0 ? open : wasOpen.current)}
      >
        {children}
      </span>
      {Menu && place ? (
        <Menu
          trigger={['click']}
          open={open}
          onOpenChange={change}
          {...(menu ? { menu } : {})}
          {...(placement ? { placement } : {})}
        >
          <span style={{ ...place, position: 'fixed', pointerEvents: 'none' }} />
        </Menu>
      ) : null}
    </>
  );
}
