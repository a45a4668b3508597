import { Button } from 'antd';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { contentLimits } from '../../../../contract/light/versioned.ts';
import { toast } from '../../frame/toast-store.ts';
import { Icon } from '../icons/Icon.tsx';

/** Reads a JSON file that a version was saved as; what is no such file is said at once. */
export function FileButton({
  disabled,
  onFile,
}: {
  disabled: boolean;
  onFile: (file: Record<string, unknown>) => void;
}) {
  const { t } = useTranslation('versioned');
  const input = useRef<HTMLInputElement>(null);
  const read = async (file: File): Promise<void> => {
    if (file.size > contentLimits.bytes) return void toast.failed(t('file.tooLarge'));
    try {
      const found: unknown = JSON.parse(await file.text());
      if (typeof found === 'object' && found !== null && !Array.isArray(found) && 'content' in found)
        return onFile(found as Record<string, unknown>);
    } catch {
      // No JSON at all: the same words.
    }
    toast.failed(t('file.unreadable', { name: file.name }));
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept="application/json,.json"
        aria-label={t('file.bring')}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = '';
          if (file) void read(file);
        }}
      />
      <Button disabled={disabled} icon={<Icon name="upload" size={14} />} onClick={() => input.current?.click()}>
        {t('file.bring')}
      </Button>
    </>
  );
}
