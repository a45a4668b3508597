import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOpen, usePageExists } from '../../frame/index.ts';
import { ErrorState, Skeleton } from '../index.ts';
import { usePublicationWords, type Finding } from './words.ts';
import styles from './publishing.module.css';

/** How many lamps of a finding are named before all of them are asked for. */
const named = 5;
/** How many are shown at most: each is a stop of the keyboard. */
const shownAtMost = 200;

interface Props {
  finding: Finding;
  /** All lamps of it; undefined: on their way. */
  all: Finding['lamps'];
  error: Error | null;
  /** Asks for all lamps of the code. */
  onAll: () => void;
}

/** The lamps that a finding is about: the first ones by name, the others one press away. */
export function FindingLamps({ finding: { lamps }, all, error, onAll }: Props) {
  const { t } = useTranslation('publishing');
  const { number } = usePublicationWords();
  const open = useOpen();
  const linked = usePageExists()('lamp/device');
  const [isOpen, setOpen] = useState(false);
  if (lamps === undefined || lamps.count === 0) return null;
  const whole = isOpen ? all : undefined;
  const shown = whole?.first.slice(0, shownAtMost) ?? lamps.first.slice(0, named);
  const beyond = (whole ?? lamps).count - shown.length;
  return (
    <div className={styles.findingLamps}>
      <span>
        {shown.map(({ id, code }) =>
          linked ? (
            <Button key={id} type="link" size="small" onClick={() => open('lamp/device', { params: { id } })}>
              {code}
            </Button>
          ) : (
            <span key={id} className="code">
              {code}{' '}
            </span>
          ),
        )}
        {beyond > 0 ? t('finding.more', { n: number(beyond) }) : null}
      </span>
      {!isOpen || all !== undefined ? null : error ? (
        <ErrorState title={t('finding.lampsFailed')} error={error} onRetry={onAll} />
      ) : (
        <Skeleton rows={2} />
      )}
      {lamps.count <= named ? null : (
        <Button
          type="link"
          size="small"
          aria-expanded={isOpen}
          onClick={() => {
            if (!isOpen) onAll();
            setOpen(!isOpen);
          }}
        >
          {isOpen ? t('finding.fewer') : t('finding.all', { n: number(lamps.count) })}
        </Button>
      )}
    </div>
  );
}
