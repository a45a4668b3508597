import { Button } from 'antd';
import type { BodyOf } from '../../../../contract/route.ts';
import { usePermission } from '../../frame/index.ts';
import { inPreview } from '../../session/index.ts';
import { Icon } from '../icons/Icon.tsx';
import { useExport, type ExportCall } from './use-export.ts';

/** Begins the export of what is shown; absent without the right to it, and in a preview. */
export function ExportButton<C extends ExportCall>({
  call,
  body,
  text,
  title,
  empty = false,
}: {
  call: C;
  body: BodyOf<C>;
  text: string;
  title?: string;
  /** There is nothing to export. */
  empty?: boolean;
}) {
  const { begin, isBeginning } = useExport(call);
  if (!usePermission(call.access) || inPreview()) return null;
  return (
    <Button
      icon={<Icon name="download" size={14} />}
      loading={isBeginning}
      disabled={empty || isBeginning}
      title={title}
      onClick={() => begin(body)}
    >
      {text}
    </Button>
  );
}
