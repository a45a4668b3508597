import { Button } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon, Page, PageBar } from '../../../parts/index.ts';
import { Steps } from '../../../parts/steps/Steps.tsx';
import type { StepName } from './plan.ts';
import type { ImportAddress } from './use-import.ts';

const order = ['file', 'columns', 'check', 'write'] as const;
type Name = 'file' | StepName;

export function Back({ address }: { address: ImportAddress }) {
  const { t } = useTranslation('imports');
  return (
    <Button icon={<Icon name="list" size={14} />} onClick={() => address.list()}>
      {t('toList')}
    </Button>
  );
}

interface Props {
  title: string;
  note?: ReactNode;
  at: Name;
  address: ImportAddress;
  reachable?: readonly StepName[];
  onStep?: (step: StepName) => void;
  children: ReactNode;
}

/**
 * The page of an import: where it stands among the four steps, and the step itself. Steps that can be shown are
 * buttons.
 */
export function Frame({ title, note, at, address, reachable = [], onStep, children }: Props) {
  const { t } = useTranslation('imports');
  return (
    <Page>
      <PageBar title={title} note={note} actions={<Back address={address} />} />
      <Steps<Name>
        label={t('steps')}
        steps={order.map((name) => ({ name, word: t(`step.${name}`) }))}
        at={at}
        reachable={reachable}
        onStep={(name) => {
          if (name !== 'file') onStep?.(name);
        }}
      />
      {children}
    </Page>
  );
}
