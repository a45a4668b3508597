import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon, Page, PageBar } from '../../../parts/index.ts';
import steps from '../imports/imports.module.css';
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
  const now = stepNames.indexOf(at);
  return (
    <Page>
      <PageBar title={t('connect.title')} note={note} actions={actions} />
      <nav aria-label={t('connect.steps')}>
        <ol className={steps.steps}>
          {stepNames.map((name, index) => {
            const word = (
              <>
                <span className={steps.number} aria-hidden>
                  {index < now ? <Icon name="check" size={13} /> : index + 1}
                </span>
                <span>{t(`step.${name}`)}</span>
              </>
            );
            return (
              <li key={name} data-done={index < now || undefined} data-now={index === now || undefined}>
                {name !== at && reachable.includes(name) ? (
                  <button type="button" onClick={() => onStep?.(name)}>
                    {word}
                  </button>
                ) : (
                  <span aria-current={index === now ? 'step' : undefined}>{word}</span>
                )}
              </li>
            );
          })}
        </ol>
      </nav>
      {children}
    </Page>
  );
}
