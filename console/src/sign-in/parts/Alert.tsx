/** @jsxImportSource preact */
import { Icon } from './icons.tsx';

/** The place where a form says what went wrong; always present, so that screen readers hear a change. */
export function Alert({ text, tone = 'error' }: { text: string | undefined; tone?: 'error' | 'warning' }) {
  return (
    <div role="alert">
      {text !== undefined && (
        <p class={`alert ${tone}`}>
          <Icon name="warning" />
          <span>{text}</span>
        </p>
      )}
    </div>
  );
}
