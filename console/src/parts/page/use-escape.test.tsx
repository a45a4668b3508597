import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useRef } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { useEscape } from './use-escape.ts';

const close = vi.fn<() => void>();
afterEach(() => {
  cleanup();
  close.mockClear();
});

function Panel({ beside }: { beside?: string }) {
  const panel = useRef<HTMLElement>(null);
  useEscape(panel, close);
  return (
    <>
      <aside ref={panel}>
        <div role="application" tabIndex={0} aria-label="curve" />
      </aside>
      <div role="application" tabIndex={0} aria-label="map" />
      {beside === undefined ? null : <div className={beside} />}
    </>
  );
}
const escape = () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });

test('Esc closes the panel from its own curve, and leaves the map its own', () => {
  render(<Panel />);
  screen.getByLabelText('map').focus();
  escape();
  expect(close).not.toHaveBeenCalled();
  screen.getByLabelText('curve').focus();
  escape();
  expect(close).toHaveBeenCalledTimes(1);
});

test.each(['ant-popover', 'ant-picker-dropdown', 'ant-dropdown'])('Esc belongs to an open .%s', (name) => {
  const { rerender } = render(<Panel beside={name} />);
  escape();
  expect(close).not.toHaveBeenCalled();
  rerender(<Panel beside={`${name} ${name}-hidden`} />);
  escape();
  expect(close).toHaveBeenCalledTimes(1);
});
