import { act, cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Button, Drawer, Dropdown, Modal } from 'antd';
import { useState, type ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { renderInShell } from '../../testing/shell.tsx';

configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });
afterEach(cleanup);

const kinds = {
  dialog: (close: () => void, inside?: ReactNode) => (
    <Modal open title="above" onCancel={close}>
      {inside}
    </Modal>
  ),
  drawer: (close: () => void, inside?: ReactNode) => (
    <Drawer open title="above" onClose={close}>
      {inside}
    </Drawer>
  ),
} as const;
type Kind = keyof typeof kinds;

/** A button that opens something which is there only while it is open. */
function Opener({ kind, name, inside, goes }: { kind: Kind; name: string; inside?: ReactNode; goes?: boolean }) {
  const [open, setOpen] = useState(false);
  const [gone, setGone] = useState(false);
  return (
    <>
      {gone ? null : (
        <button type="button" onClick={() => setOpen(true)}>
          {name}
        </button>
      )}
      {open
        ? kinds[kind](() => {
            setOpen(false);
            setGone(goes === true);
          }, inside)
        : null}
    </>
  );
}

const named = (name: string): HTMLElement => screen.getByRole('button', { name });
/** What stands above has the focus: where nothing is laid out, a drawer cannot find its first button by itself. */
async function inside(): Promise<void> {
  const top = (await screen.findAllByRole('dialog')).at(-1)!;
  await act(async () => {
    within(top)
      .getAllByRole('button')
      .find((button) => button.classList.contains('ant-drawer-close'))
      ?.focus();
  });
  await waitFor(() => expect(top.contains(document.activeElement)).toBe(true));
}
/** As somebody with a keyboard does: the button has the focus and is pressed. */
async function open(name: string): Promise<void> {
  const before = screen.queryAllByRole('dialog').length;
  await act(async () => {
    named(name).focus();
    fireEvent.click(named(name));
  });
  await waitFor(() => expect(screen.getAllByRole('dialog')).toHaveLength(before + 1));
  await inside();
}
async function leave(how: () => void): Promise<void> {
  const before = screen.queryAllByRole('dialog').length;
  await act(async () => how());
  await waitFor(() => expect(screen.queryAllByRole('dialog')).toHaveLength(before - 1));
}
const escape = (): Promise<void> => leave(() => fireEvent.keyDown(document.activeElement!, { key: 'Escape' }));
/** By its close button: in tests all layers of antd have one id, by which Escape finds another. */
const close = (): Promise<void> =>
  leave(() => fireEvent.click(within(screen.getAllByRole('dialog').at(-1)!).getByRole('button', { name: 'Close' })));
const hasFocus = (name: string): Promise<void> => waitFor(() => expect(document.activeElement).toBe(named(name)));

test.each<Kind>(['dialog', 'drawer'])('after a %s the focus is where it was', async (kind) => {
  await renderInShell(<Opener kind={kind} name="opens" />);
  await open('opens');
  await escape();
  await hasFocus('opens');
});

test('of two above each other each gives the focus back to what opened it', async () => {
  await renderInShell(<Opener kind="drawer" name="opens" inside={<Opener kind="dialog" name="asks" />} />);
  await open('opens');
  await open('asks');
  await close();
  await hasFocus('asks');
  await close();
  await hasFocus('opens');
});

test('what was opened by the entry of a menu gives the focus to what opened the menu', async () => {
  const Page = () => {
    const [shown, setShown] = useState(false);
    return (
      <>
        <Dropdown
          trigger={['click']}
          destroyOnHidden
          menu={{ items: [{ key: 'a', label: 'entry' }], onClick: () => setShown(true) }}
        >
          <Button>more</Button>
        </Dropdown>
        {shown ? kinds.dialog(() => setShown(false)) : null}
      </>
    );
  };
  await renderInShell(<Page />);
  await act(async () => {
    named('more').focus();
    fireEvent.click(named('more'));
  });
  const entry = await screen.findByRole('menuitem', { name: 'entry' });
  await act(async () => {
    entry.focus();
    fireEvent.click(entry);
  });
  await waitFor(() => expect(screen.queryByRole('menuitem')).toBeNull());
  await inside();
  await close();
  await hasFocus('more');
});

test('what opened it is gone, as a row that was deleted: the page has the focus', async () => {
  await renderInShell(
    <main tabIndex={-1}>
      <Opener kind="dialog" name="deletes" goes />
    </main>,
  );
  await open('deletes');
  await escape();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')));
});

test('whoever has gone elsewhere meanwhile stays there', async () => {
  const Page = () => {
    const [shown, setShown] = useState(false);
    return (
      <>
        <button type="button" onClick={() => setShown(true)}>
          opens
        </button>
        <button type="button">elsewhere</button>
        {shown ? <Drawer open title="above" onClose={() => setShown(false)} /> : null}
      </>
    );
  };
  await renderInShell(<Page />);
  await open('opens');
  fireEvent.keyDown(document.activeElement!, { key: 'Escape' });
  named('elsewhere').focus();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  // As many frames as the focus is looked after.
  for (let frame = 0; frame < 31; frame += 1) await new Promise(requestAnimationFrame);
  expect(document.activeElement).toBe(named('elsewhere'));
});

test('whoever had left everything before a dialog came gets no field thrust on him', async () => {
  await renderInShell(
    <>
      <input aria-label="search" />
      <Opener kind="dialog" name="opens" />
    </>,
  );
  await act(async () => {
    screen.getByLabelText('search').focus();
    screen.getByLabelText('search').blur();
    fireEvent.click(named('opens'));
  });
  await inside();
  await escape();
  for (let frame = 0; frame < 31; frame += 1) await new Promise(requestAnimationFrame);
  expect(document.activeElement).toBe(document.body);
});
