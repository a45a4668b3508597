import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { getTonight } from '../../../../../contract/light/nights.ts';
import { useCall, useLive, useSoon } from '../../../api/index.ts';
import { usePermission } from '../../../frame/index.ts';
import { Card, ErrorState, Skeleton } from '../../../parts/index.ts';
import { PageLink } from '../../../parts/page/PageLink.tsx';
import { failedOf, useNightWords } from '../../../parts/nights/words.ts';
import styles from './tonight.module.css';

/** So often it is asked for at most, ms. */
const soonMs = 5000;

/** What lamps do tonight: plans, exceptions, publications, who does otherwise, and the rehearsal; each opens its list. */
export function Tonight() {
  const may = usePermission('plan.query');
  return may ? <Shown /> : null;
}

function Shown() {
  const { t } = useTranslation('nights');
  const words = useNightWords();
  const tonight = useCall(getTonight, undefined, { every: 60_000 });
  const soon = useSoon(() => void tonight.refetch());
  const hear = () => soon(soonMs);
  useLive('nights', hear);
  useLive('plans', hear);
  useLive('publications', hear);
  const { data } = tonight;
  if (!data)
    return (
      <Card title={t('tonight')}>
        {tonight.error ? (
          <ErrorState error={tonight.error} onRetry={tonight.refetch} />
        ) : (
          <Skeleton rows={4} height={120} />
        )}
      </Card>
    );
  const { schemes, moreSchemes, own, exceptions, publications, notOnPlan, rehearsal, lastNight, day } = data;
  const others = notOnPlan.lamps - notOnPlan.publications.reduce((sum, { lamps }) => sum + lamps, 0);
  return (
    <Card title={t('tonight')}>
      <dl className={styles.rows}>
        <Row name={t('tonight.schemes')}>
          {schemes.map(({ schemeId, code, name, number, lamps }) => (
            <span key={schemeId ?? 'sun'}>
              {schemeId === null ? (
                t('tonight.sun')
              ) : (
                <PageLink to="lamp/scheme" options={{ params: { id: schemeId } }}>
                  {t('tonight.scheme', { code: code ?? '', name: name ?? '', n: words.number(number ?? 0) })}
                </PageLink>
              )}{' '}
              {t('lamps.count', { n: words.number(lamps) })}
            </span>
          ))}
          {moreSchemes.schemes > 0 ? (
            <span>
              {t('tonight.more', { n: words.number(moreSchemes.schemes) })}{' '}
              {t('lamps.count', { n: words.number(moreSchemes.lamps) })}
            </span>
          ) : null}
          {own > 0 ? (
            <span>
              {t('tonight.own')} {t('lamps.count', { n: words.number(own) })}
            </span>
          ) : null}
        </Row>
        <Row name={t('tonight.exceptions')}>
          <PageLink to="lamp/exceptions" options={{ search: '?state=inForce' }}>
            {t('tonight.inForce', { n: words.number(exceptions.inForce) })}
          </PageLink>
          <PageLink to="lamp/exceptions" options={{ search: '?state=planned' }}>
            {t('tonight.planned', { n: words.number(exceptions.planned) })}
          </PageLink>
        </Row>
        <Row name={t('tonight.publications')}>
          <PageLink
            to="lamp/publications"
            options={{ search: '?state=tellingCanary,judging,tellingAll,proving,halted,reverting' }}
          >
            {t('tonight.underWay', { n: words.number(publications.underWay) })}
          </PageLink>
          <PageLink to="lamp/publications" options={{ search: '?state=awaitingApproval' }}>
            {t('tonight.waiting', { n: words.number(publications.waiting) })}
          </PageLink>
        </Row>
        <Row name={t('tonight.notOnPlan')}>
          <b>
            {notOnPlan.lamps > 0 ? (
              <PageLink to="lamp/monitor" options={{ search: '?view=list&plan=astray' }}>
                {t('lamps.count', { n: words.number(notOnPlan.lamps) })}
              </PageLink>
            ) : (
              t('lamps.count', { n: words.number(notOnPlan.lamps) })
            )}
          </b>
          {notOnPlan.publications.map(({ id, lamps }) => (
            <span key={id}>
              <PageLink to="lamp/publication" options={{ params: { id } }}>
                {`#${id}`}
              </PageLink>
              {` · ${t('lamps.count', { n: words.number(lamps) })}`}
            </span>
          ))}
          {others > 0 ? <span>{t('tonight.others', { n: words.number(others) })}</span> : null}
        </Row>
        {rehearsal && day !== null ? (
          <Row name={t('rehearsal')}>
            <PageLink to="lamp/night" options={{ params: { day }, search: '?part=rehearsal' }}>
              {words.isListed(rehearsal) ? words.dark(rehearsal) : words.phase({ report: 'planned', rehearsal })}
            </PageLink>
          </Row>
        ) : null}
        {lastNight ? (
          <Row name={t('tonight.last')}>
            <PageLink to="lamp/night" options={{ params: { day: lastNight.day } }}>
              {words.ran(lastNight)}
            </PageLink>
            {failedOf(lastNight) > 0 ? (
              <span>{t('tonight.failed', { n: words.number(failedOf(lastNight)) })}</span>
            ) : null}
          </Row>
        ) : null}
      </dl>
    </Card>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
