/** @jsxImportSource preact */
import type { Ref } from 'preact';
import { Icon } from '../parts/icons.tsx';
import { TextField } from '../parts/TextField.tsx';
import { useTexts } from '../texts.ts';
import type { CaptchaState } from './use-captcha.ts';

interface CaptchaFieldProps {
  captcha: CaptchaState;
  next: () => void;
  code: string;
  error: string | undefined;
  onCode: (code: string) => void;
  inputRef: Ref<HTMLInputElement>;
}

function Picture({ captcha, next }: Pick<CaptchaFieldProps, 'captcha' | 'next'>) {
  const t = useTexts();
  return (
    <button
      type="button"
      class="captcha"
      onClick={next}
      aria-label={captcha.kind === 'failed' ? t('captchaFailed') : t('captchaPicture')}
      aria-busy={captcha.kind === 'loading'}
    >
      {captcha.kind === 'ready' && <img src={captcha.image} alt="" />}
      {captcha.kind === 'failed' && (
        <span>
          <Icon name="warning" />
          {t('captchaFailed')}
        </span>
      )}
      {captcha.kind === 'loading' && <span class="hidden">{t('captchaLoading')}</span>}
    </button>
  );
}

/** The picture and its code; the picture and the words above it both fetch another one. */
export function CaptchaField({ captcha, next, code, error, onCode, inputRef }: CaptchaFieldProps) {
  const t = useTexts();
  return (
    <div class="captcha-field">
      <TextField
        label={t('captcha')}
        icon="shield"
        value={code}
        error={error}
        onValue={onCode}
        inputRef={inputRef}
        placeholder={t('captchaHint')}
        autocomplete="off"
        autocapitalize="off"
        autocorrect="off"
        spellcheck={false}
        maxLength={8}
        required
        beside={<Picture captcha={captcha} next={next} />}
      />
      <button type="button" class="link captcha-next" onClick={next}>
        {t('captchaNext')}
      </button>
    </div>
  );
}
