import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOpen, usePageExists } from '../../../frame/index.ts';
import { useTime } from '../../../parts/index.ts';
import { AcceptedFindings, acceptedOf } from '../../../parts/publishing/Findings.tsx';
import { usePublicationWords, type Publication } from '../../../parts/publishing/words.ts';
import styles from './publication.module.css';

/** What was published, to whom, by whom, why, and under which conditions. */
export function Facts({ of }: { of: Publication }) {
  const { t } = useTranslation('publishing');
  const time = useTime();
  const words = usePublicationWords();
  const decision = of.approval?.decision ?? null;
  const facts: readonly (readonly [string, ReactNode] | null)[] = [
    of.scheme && [t('facts.scheme'), <VersionOf key="scheme" page="lamp/scheme" version={of.scheme} />],
    of.template && [t('facts.template'), <VersionOf key="template" page="lamp/template" version={of.template} />],
    [t('facts.scope'), words.scope(of)],
    [t('facts.from'), t('facts.fromText', { day: of.effectiveFrom })],
    [t('facts.actor'), `${of.actorName} · ${time(of.createdAt, 'dateTime')}`],
    [t('facts.reason'), of.reason ?? '—'],
    of.reverts !== null || of.canary === null
      ? [t('facts.canary'), t('facts.atOnce')]
      : [t('facts.canary'), <Canary key="canary" of={of} />],
    of.reverts === null && of.canary !== null
      ? [t('facts.autoRevert'), t(of.autoRevert ? 'facts.autoRevert.on' : 'facts.autoRevert.off')]
      : null,
    of.darkens > 0 ? [t('facts.darkens'), t('lamps', { n: words.number(of.darkens) })] : null,
    decision !== null && of.approval?.outcome === 'agreed'
      ? [
          t('facts.approved'),
          `${decision.by} · ${time(decision.at, 'dateTime')}${decision.reason === null ? '' : ` · ${decision.reason}`}`,
        ]
      : null,
    of.reverts === null ? null : [t('facts.reverts'), <PublicationLink key="reverts" id={of.reverts} />],
    of.revertedBy === null ? null : [t('facts.revertedBy'), <PublicationLink key="revertedBy" id={of.revertedBy} />],
    of.endedAt === null ? null : [t('facts.ended'), time(of.endedAt, 'dateTime')],
    acceptedOf(of.findings).length === 0
      ? null
      : [t('facts.findings'), <AcceptedFindings key="findings" findings={of.findings} />],
  ];
  return (
    <dl className={styles.facts}>
      {facts
        .filter((fact) => fact !== null)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** Its name and number: the way to its page, where the account has it. */
function VersionOf({ page, version }: { page: string; version: NonNullable<Publication['scheme']> }) {
  const { t } = useTranslation('publishing');
  const open = useOpen();
  const exists = usePageExists();
  const words = usePublicationWords();
  const text = version.schedule
    ? words.title({ scheme: version, template: null, reverts: null })
    : `${version.code} ${words.version(version)}`;
  return (
    <>
      {exists(page) && !version.schedule ? (
        <button type="button" className={styles.link} onClick={() => open(page, { params: { id: version.id } })}>
          {text}
        </button>
      ) : (
        text
      )}{' '}
      <span className={styles.hash}>
        <small>{t('facts.hash')}</small> <code className="code">{version.hash}</code>
      </span>
    </>
  );
}

/** What passes it, and what it showed. */
function Canary({ of: { canary, goOn, criteria, judged } }: { of: Publication }) {
  const { t } = useTranslation('publishing');
  const words = usePublicationWords();
  const share = (value: number | null): string => (value === null ? '—' : words.percent(value));
  return (
    <>
      {t('facts.canaryText', { n: words.number(canary?.count ?? 0) })}
      <br />
      {t(goOn ? 'facts.goOn' : 'facts.asks')}
      <table className={styles.criteria}>
        <thead>
          <tr>
            <th scope="col">{t('criteria.what')}</th>
            <th scope="col">{t('criteria.wanted')}</th>
            <th scope="col">{t('criteria.shown')}</th>
          </tr>
        </thead>
        <tbody>
          {(['reportedPercent', 'provenPercent'] as const).map((key) => (
            <tr key={key}>
              <th scope="row">{t(`criteria.${key}`)}</th>
              <td>{t('criteria.least', { share: share(criteria[key]) })}</td>
              <td data-bad={(judged !== null && judged[key] !== null && judged[key] < criteria[key]) || undefined}>
                {judged === null ? '—' : share(judged[key])}
              </td>
            </tr>
          ))}
          <tr>
            <th scope="row">{t('criteria.lit')}</th>
            <td>{t('criteria.drop', { n: words.number(criteria.litDropPoints) })}</td>
            <td data-bad={(judged !== null && isLessLit(judged, criteria.litDropPoints)) || undefined}>
              {judged === null || judged.litPercent === null
                ? '—'
                : t('criteria.litShown', { now: share(judged.litPercent), before: share(judged.litBeforePercent) })}
            </td>
          </tr>
          <tr>
            <th scope="row">{t('criteria.newAlarms')}</th>
            <td>{t('criteria.most', { share: share(criteria.newAlarmsPercent) })}</td>
            <td>{judged === null ? '—' : words.number(judged.newAlarms)}</td>
          </tr>
        </tbody>
      </table>
      {judged === null ? null : <b>{t(judged.passed ? 'facts.passed' : 'facts.failed')}</b>}
    </>
  );
}

const isLessLit = ({ litPercent, litBeforePercent }: NonNullable<Publication['judged']>, points: number): boolean =>
  litPercent !== null && litBeforePercent !== null && litPercent < litBeforePercent - points;

/** The way to another publication. */
export function PublicationLink({ id }: { id: number }) {
  const open = useOpen();
  return (
    <button type="button" className={styles.link} onClick={() => open('lamp/publication', { params: { id } })}>
      #{id}
    </button>
  );
}
