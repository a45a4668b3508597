import { Button } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon, Page, PageBar } from '../../../parts/index.ts';
import type { StepName } from './plan.ts';
import type { ImportAddress } from './use-import.ts';
import styles from './imports.module.css';

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
  const now = order.indexOf(at);
  return (
    <Page>
      <PageBar title={title} note={note} actions={<Back address={address} />} />
      <nav aria-label={t('steps')}>
        <ol className={styles.steps}>
          {order.map((name, index) => {
            const word = (
              <>
                <span className={styles.number} aria-hidden>
                  {index < now ? <Icon name="check" size={13} /> : index + 1}
                </span>
                <span>{t(`step.${name}`)}</span>
              </>
            );
            const open = name !== 'file' && name !== at && reachable.includes(name);
            return (
              <li key={name} data-done={index < now || undefined} data-now={index === now || undefined}>
                {open ? (
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
