import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Page, PageBar } from '../../../parts/index.ts';
import { Steps } from '../../../parts/steps/Steps.tsx';
import { stepNames, type StepName } from './use-address.ts';

interface Props {
  note?: ReactNode;
  actions?: ReactNode;
  at: StepName;
  reachable?: readonly StepName[];
  onStep?: (step: StepName) => void;
  children: ReactNode;
}

/** The page of a device on its way in: where it stands among the four steps, and the step itself. */
export function Frame({ note, actions, at, reachable = [], onStep, children }: Props) {
  const { t } = useTranslation('provisioning');
  return (
    <Page>
      <PageBar title={t('connect.title')} note={note} actions={actions} />
      <Steps
        label={t('connect.steps')}
        steps={stepNames.map((name) => ({ name, word: t(`step.${name}`) }))}
        at={at}
        reachable={reachable}
        onStep={(name) => onStep?.(name)}
      />
      {children}
    </Page>
  );
}
