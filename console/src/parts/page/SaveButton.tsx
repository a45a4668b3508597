import { Button } from 'antd';
import { useState } from 'react';
import { Icon } from '../icons/Icon.tsx';
import { useErrorText } from '../notices/error-text.ts';
import { toast } from '../../frame/toast-store.ts';

interface Props {
  readonly text: string;
  readonly title?: string | undefined;
  /** What is said when it fails; why stands behind it. */
  readonly failed: string;
  /** There is nothing to save. */
  readonly empty: boolean;
  /** Fetches the file and saves it. */
  readonly save: () => Promise<unknown>;
}

/** Saves a file of what is shown. */
export function SaveButton({ text, title, failed, empty, save }: Props) {
  const errorText = useErrorText();
  const [busy, setBusy] = useState(false);
  const start = (): void => {
    setBusy(true);
    save()
      .catch((error: unknown) => toast.failed(`${failed} · ${errorText(error)}`))
      .finally(() => setBusy(false));
  };
  return (
    <Button
      icon={<Icon name="download" size={14} />}
      loading={busy}
      disabled={empty || busy}
      title={title}
      onClick={start}
    >
      {text}
    </Button>
  );
}
