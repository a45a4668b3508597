import { Checkbox } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { previewPublication } from '../../../../../contract/light/publications.ts';
import { ApiError, useCall } from '../../../api/index.ts';
import { formatNumber, Card, Empty, ErrorState, Icon, RefreshBar, Skeleton } from '../../../parts/index.ts';
import { FindingLamps } from '../../../parts/publishing/FindingLamps.tsx';
import { usePublicationWords, type Finding } from '../../../parts/publishing/words.ts';
import { findingKey, sameFinding, type Preview, type PublishForm } from './use-publish-form.ts';
import { YearButton } from './YearButton.tsx';
import styles from './publish.module.css';

/** What would happen, before anything does: lamps, energy, and what was found. */
export function PreviewCard({ form }: { form: PublishForm }) {
  const { t } = useTranslation('publish');
  const { shown, refused, preview, isWhole, problems } = form;
  const beside = refused instanceof ApiError && Object.keys(refused.fieldErrors).length > 0;
  return (
    <Card title={t('preview')}>
      <RefreshBar active={preview.isFetching && !preview.isPending} />
      {!isWhole ? (
        <Empty title={t('preview.none')} text={t('preview.noneText')} />
      ) : refused !== null ? (
        beside ? (
          <Empty title={t('preview.wrong')} text={Object.values(problems).join(' ')} />
        ) : (
          <ErrorState title={t('preview.failed')} error={refused} onRetry={preview.refetch} />
        )
      ) : shown === undefined ? (
        <Skeleton rows={6} height={260} />
      ) : (
        <Shown preview={shown} form={form} />
      )}
    </Card>
  );
}

function Shown({ preview, form }: { preview: Preview; form: PublishForm }) {
  const { t, i18n } = useTranslation('publish');
  const words = usePublicationWords();
  const { lamps, changed, darkens, cannot, kwh } = preview;
  const { errors, warnings, notes } = form;
  const stuck = cannot.reduce((sum, { count }) => sum + count, 0);
  const share = kwh.before === 0 ? null : Math.round(((kwh.after - kwh.before) * 1000) / kwh.before) / 10;
  const most = Math.max(kwh.before, kwh.after);
  return (
    <div className={styles.shown}>
      <dl className={styles.figures}>
        {(
          [
            ['lamps', lamps, false],
            ['changed', changed, false],
            ['darkens', darkens, darkens > 0],
            ['cannot', stuck, stuck > 0],
          ] as const
        ).map(([name, count, stands]) => (
          <div key={name} data-stands={stands || undefined}>
            <dt>{t(`preview.${name}`)}</dt>
            <dd>{words.number(count)}</dd>
          </div>
        ))}
      </dl>
      {stuck > 0 ? (
        <ul className={styles.cannot}>
          {cannot.map(({ reason, count }) => (
            <li key={reason}>{t(`cannot.${reason}`, { n: words.number(count) })}</li>
          ))}
        </ul>
      ) : null}
      <section className={styles.energy} aria-label={t('preview.kwh')}>
        <h3>{t('preview.kwh')}</h3>
        {(['before', 'after'] as const).map((side) => (
          <div key={side} data-side={side}>
            <span>{t(`preview.${side}`)}</span>
            <i aria-hidden>
              <i style={{ width: most === 0 ? 0 : `${(kwh[side] / most) * 100}%` }} />
            </i>
            <b>{t('preview.kwhOf', { n: formatNumber(kwh[side], i18n.language, kwh[side] < 100 ? 1 : 0) })}</b>
          </div>
        ))}
        {share === null ? null : (
          <p>
            {share === 0
              ? t('preview.same')
              : t(share < 0 ? 'preview.less' : 'preview.more', { share: words.percent(Math.abs(share)) })}
          </p>
        )}
      </section>
      <YearButton preview={preview} form={form} />
      {errors.length + warnings.length + notes.length === 0 ? (
        <p className={styles.fine}>
          <Icon name="check" size={14} />
          {t('findings.none')}
        </p>
      ) : (
        <section className={styles.findings} aria-label={t('findings')}>
          <h3>{t('findings')}</h3>
          <ul>
            {errors.map((one) => (
              <Said key={findingKey(one)} finding={one} form={form} />
            ))}
            {warnings.map((one) => (
              <Warning key={findingKey(one)} finding={one} form={form} />
            ))}
            {notes.map((one) => (
              <Said key={findingKey(one)} finding={one} form={form} />
            ))}
          </ul>
          {form.problems['acceptedFindings'] === undefined ? null : (
            <p className={styles.problem} role="alert">
              <Icon name="warning" size={12} />
              {form.problems['acceptedFindings']}
            </p>
          )}
        </section>
      )}
      <p className={styles.hint}>{t('preview.from', { day: preview.effectiveFrom })}</p>
    </div>
  );
}

/** Keeps from publishing, with what to change, or is only to be known. */
function Said({ finding, form }: { finding: Finding; form: PublishForm }) {
  const { t } = useTranslation('publish');
  const { text, fix } = usePublicationWords().finding(finding);
  const { severity } = finding;
  return (
    <li data-severity={severity}>
      <Icon name={severity === 'error' ? 'warning' : 'flag'} size={14} />
      <span>
        {severity === 'error' ? <b>{t('findings.error')}</b> : null} {text}
        {fix === '' ? null : <small>{fix}</small>}
        <LampsOf finding={finding} form={form} />
      </span>
    </li>
  );
}

/** The lamps of a finding; all of them are asked for when they are wanted. */
function LampsOf({ finding, form }: { finding: Finding; form: PublishForm }) {
  const [wanted, setWanted] = useState(false);
  const { data, error, refetch } = useCall(
    previewPublication,
    { body: { ...form.wanted, lampsOf: finding.code } },
    { enabled: wanted && form.found !== undefined, staleTime: 0 },
  );
  // Counts may have changed between the two answers.
  const same = data?.findings.filter((one) => sameFinding(one, finding)) ?? [];
  const all =
    data && ((same.find((one) => findingKey(one) === findingKey(finding)) ?? same[0])?.lamps ?? finding.lamps);
  return (
    <FindingLamps
      finding={finding}
      all={all}
      error={error}
      onAll={() => {
        if (wanted && error) void refetch();
        setWanted(true);
      }}
    />
  );
}

/** Read and ticked before it can be published. */
function Warning({ finding, form }: { finding: Finding; form: PublishForm }) {
  const { text, fix } = usePublicationWords().finding(finding);
  const { accepted, setAccepted } = form;
  const key = findingKey(finding);
  const wrong = form.problems['acceptedFindings'] !== undefined && !accepted.has(key);
  return (
    <li data-severity="warning">
      <Checkbox
        checked={accepted.has(key)}
        aria-invalid={wrong}
        onChange={(event) => {
          const next = new Set(accepted);
          if (event.target.checked) next.add(key);
          else next.delete(key);
          setAccepted(next);
        }}
      >
        {text}
        {fix === '' ? null : <small>{fix}</small>}
      </Checkbox>
      <LampsOf finding={finding} form={form} />
    </li>
  );
}
