/** @jsxImportSource preact */
import type { InputHTMLAttributes, ComponentChildren, Ref } from 'preact';
import { useId, useState } from 'preact/hooks';
import { useTexts } from '../texts.ts';
import { Icon, type IconName } from './icons.tsx';

export interface TextFieldProps extends Pick<
  InputHTMLAttributes,
  | 'name'
  | 'required'
  | 'placeholder'
  | 'autocomplete'
  | 'autocapitalize'
  | 'autocorrect'
  | 'spellcheck'
  | 'maxLength'
  | 'readOnly'
> {
  label: string;
  type?: 'text' | 'password';
  icon: IconName;
  value: string;
  error: string | undefined;
  onValue: (value: string) => void;
  /** Leaving the field for another one; not leaving the window. */
  onLeave?: () => void;
  inputRef: Ref<HTMLInputElement>;
  /** Beside the input, inside its frame. */
  inside?: ComponentChildren;
  /** After the input's frame, in the same row. */
  beside?: ComponentChildren;
  describedBy?: string | undefined;
}

/**
 * A labelled input with its error under it; the error's line is always there, so that nothing moves when it appears.
 */
export function TextField({
  label,
  icon,
  type = 'text',
  error,
  onValue,
  onLeave,
  inputRef,
  inside,
  beside,
  describedBy,
  ...input
}: TextFieldProps) {
  const id = useId();
  const described = [error === undefined ? undefined : `${id}-error`, describedBy].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="row">
        <div class={error === undefined ? 'input' : 'input wrong'}>
          <Icon name={icon} />
          <input
            {...input}
            {...(type === 'password' ? { type } : { type })}
            id={id}
            ref={inputRef}
            aria-invalid={error !== undefined}
            {...(described === '' ? {} : { 'aria-describedby': described })}
            onInput={(event) => onValue(event.currentTarget.value)}
            onBlur={(event) => {
              if (document.activeElement !== event.currentTarget) onLeave?.();
            }}
          />
          {inside}
        </div>
        {beside}
      </div>
      <p class="field-error" id={`${id}-error`}>
        {error !== undefined && (
          <>
            <span aria-hidden="true">▲ </span>
            {error}
          </>
        )}
      </p>
    </div>
  );
}

/** A password with a button that shows it. At most 60 characters fit the key whatever their script. */
export function PasswordField(props: Omit<TextFieldProps, 'icon' | 'inside' | 'type'>) {
  const t = useTexts();
  const [shown, setShown] = useState(false);
  const eye = (
    <button
      type="button"
      class="eye"
      aria-pressed={shown}
      aria-label={t('showPassword')}
      title={t(shown ? 'hidePassword' : 'showPassword')}
      onClick={() => setShown(!shown)}
    >
      <Icon name={shown ? 'eyeOff' : 'eye'} />
    </button>
  );
  return (
    <TextField
      {...props}
      icon="lock"
      type={shown ? 'text' : 'password'}
      maxLength={60}
      spellcheck={false}
      autocapitalize="off"
      inside={eye}
    />
  );
}
