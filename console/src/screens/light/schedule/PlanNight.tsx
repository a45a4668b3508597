import { Button } from 'antd';
import dayjs from 'dayjs';
import { useTranslation } from 'react-i18next';
import { addDays } from '../../../../../catalogue/lighting/zone.ts';
import { getLampPlan, lampPlanBounds } from '../../../../../contract/light/lamp-plan.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { useAgain, useCall, useLive } from '../../../api/index.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { Card, ErrorState, formatList, formatNumber, formatPercent, Icon, Skeleton } from '../../../parts/index.ts';
import { useAddress } from '../../../parts/page/use-address.ts';
import { usePublicationWords } from '../../../parts/publishing/words.ts';
import { dateFormats } from '../../../parts/search-fields/text-values.ts';
import { formatTime } from '../../../parts/time/zone.ts';
import styles from './schedule.module.css';
import { DatePicker } from '../../../fields/DatePicker.tsx';

type Plan = ReplyOf<typeof getLampPlan>;

const written = /^\d{4}-\d\d-\d\d$/;
const { daysBack, daysAhead } = lampPlanBounds;

/** The night of the lamp by its plan; the address names its lighting day, tonight's if it names none. */
export function PlanNight({ id }: { id: number }) {
  const { t } = useTranslation('schedule');
  const [params, change] = useAddress();
  const given = params.get('day');
  const day = given !== null && written.test(given) ? given : null;
  // The buttons stay under the fingers while another night is fetched.
  const options = { staleTime: 0, keepPrevious: true };
  const plan = useCall(getLampPlan, { params: { id }, query: day === null ? {} : { day } }, options);
  const again = useAgain(plan);
  useLive('plans', again);
  // What devices report and what is proven of a publication, and the commands of that night.
  useLive('publications', again);
  useLive('commands', again);
  const current = plan.data?.current ?? null;
  const chosen = day ?? current;
  const shown = plan.data?.day === chosen ? plan.data : undefined;
  return (
    <Card title={t('night')}>
      {chosen === null ? null : (
        <Days chosen={chosen} current={current} onChange={(next) => change({ day: next === current ? null : next })} />
      )}
      {plan.error && !shown ? <ErrorState error={plan.error} onRetry={plan.refetch} /> : null}
      {shown ? <Night plan={shown} /> : plan.error ? null : <Skeleton rows={6} />}
    </Card>
  );
}

/** Which night: a date, the ones beside it, and tonight. `current` null: it is not known yet. */
function Days({
  chosen,
  current,
  onChange,
}: {
  chosen: string;
  current: string | null;
  onChange: (day: string | null) => void;
}) {
  const { t } = useTranslation('schedule');
  const [first, last] = current === null ? [null, null] : [addDays(current, -daysBack), addDays(current, daysAhead)];
  return (
    <div className={styles.buttons}>
      <Button
        aria-label={t('night.previous')}
        icon={<Icon name="left" size={14} />}
        disabled={first === null || chosen <= first}
        onClick={() => onChange(addDays(chosen, -1))}
      />
      <DatePicker
        aria-label={t('night.day')}
        value={dayjs(chosen)}
        allowClear={false}
        format={dateFormats.date}
        {...(first === null ? {} : { minDate: dayjs(first), maxDate: dayjs(last) })}
        onChange={(at) => {
          if (at) onChange(at.format('YYYY-MM-DD'));
        }}
      />
      <Button
        aria-label={t('night.next')}
        icon={<Icon name="right" size={14} />}
        disabled={last === null || chosen >= last}
        onClick={() => onChange(addDays(chosen, 1))}
      />
      <Button disabled={chosen === current} onClick={() => onChange(current)}>
        {t('night.tonight')}
      </Button>
    </div>
  );
}

function Night({ plan }: { plan: Plan }) {
  const { t, i18n } = useTranslation('schedule');
  const names = useNames();
  const words = usePublicationWords();
  const { scheme, template, programme, layers, lit, dark, warnings, device, publication, exceptionsLeftOut, by } = plan;
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const nameOf = ({ code, name }: { code: string; name: string | null }) => (name === null ? code : `${code} ${name}`);
  if (plan.from === null) return <p>{t('place.unknown')}</p>;
  const follows = [
    scheme === null ? null : scheme.own ? names.why('layer.schedule') : t('night.scheme', versionText(scheme)),
    template === null ? null : t('night.template', versionText(template)),
    scheme === null && template === null ? t('night.none') : null,
    programme === null ? null : t('night.programme', { name: programme.name }),
    by === null ? null : t('night.by', { by }),
    plan.approvedBy === null ? null : t('night.approvedBy', { by: plan.approvedBy }),
  ].filter((part) => part !== null);
  function versionText(of: NonNullable<Plan['template']>) {
    return { name: nameOf(of), n: number(of.number) };
  }
  const stretches = [...lit, ...dark].toSorted((a, b) => Date.parse(a.from) - Date.parse(b.from));
  return (
    <div className={styles.night}>
      <p>{follows.join(' · ')}</p>
      <p>
        {t('night.layers', {
          layers: formatList(
            layers.map((layer) => names.why(`layer.${layer === 'scheme' && scheme?.own ? 'schedule' : layer}`)),
            i18n.language,
          ),
        })}
      </p>
      {lit.length === 0 ? <p>{t('night.empty')}</p> : null}
      <ol aria-label={t('night.stretches')}>
        {stretches.map((stretch) => (
          <StretchRow key={stretch.from} stretch={stretch} timeZone={plan.timeZone} />
        ))}
      </ol>
      {warnings.map(({ code, period }) => (
        <p key={`${code} ${period ?? ''}`}>
          {period === null
            ? names.option('planFinding', code)
            : t('night.warning', { n: number(period + 1), what: names.option('planFinding', code) })}
        </p>
      ))}
      {exceptionsLeftOut.length === 0 ? null : (
        <p>{t('night.leftOut', { ids: exceptionsLeftOut.map((id) => `#${id}`).join(' ') })}</p>
      )}
      {device.sent === 'table' ? <p>{t('night.table')}</p> : null}
      {device.cannot.length === 0 ? null : (
        <p>
          {t('night.cannot', {
            what: formatList(
              device.cannot.map((one) => t(`night.cannot.${one}`)),
              i18n.language,
            ),
          })}
        </p>
      )}
      {device.periodsBeyond > 0 && device.abilities ? (
        <p>{t('night.periods', { n: number(device.periodsBeyond), most: number(device.abilities.periods) })}</p>
      ) : null}
      {publication === null ? null : <p>{t('night.state', { state: words.state(publication.state) })}</p>}
      <dl>
        <Hash name={t('night.planHash')} hint={t('night.planHash.hint')} hashes={[plan.planHash]} />
        <Hash
          name={t('night.versionHash')}
          hint={t('night.versionHash.hint')}
          hashes={[scheme?.versionHash ?? null, template?.versionHash ?? null]}
        />
      </dl>
    </div>
  );
}

/** Two kinds of hash look alike: each has its name, and says what it is of. */
function Hash({ name, hint, hashes }: { name: string; hint: string; hashes: readonly (string | null)[] }) {
  const known = hashes.filter((hash) => hash !== null);
  return known.length === 0 ? null : (
    <div>
      <dt>{name}</dt>
      <dd>
        {known.map((hash) => (
          <code key={hash} className="code">
            {hash}
          </code>
        ))}
        <small>{hint}</small>
      </dd>
    </div>
  );
}

/** Exceptions and commands have numbers for names. */
const labelOf = ({ type, label }: NonNullable<NonNullable<Plan['lit'][number]['decides']>['ref']>): string =>
  type === 'exception' || type === 'command' ? `#${label}` : label;

function StretchRow({ stretch, timeZone }: { stretch: Plan['lit'][number]; timeZone: string }) {
  const { t, i18n } = useTranslation('schedule');
  const names = useNames();
  const { from, to, level, decides, darkByPattern } = stretch;
  const clock = (at: string): string => formatTime(Date.parse(at), 'minute', timeZone);
  const reasons = [
    decides ? names.why(`layer.${decides.ref?.type === 'schedule' ? 'schedule' : decides.layer}`) : null,
    decides?.ref && decides.layer !== 'scheme' ? labelOf(decides.ref) : null,
    decides?.layer === 'scheme' ? null : (decides?.by ?? null),
    decides?.reason ?? null,
    darkByPattern ? t('night.pattern') : null,
  ].filter((part) => part !== null);
  return (
    <li>
      <span>
        {clock(from)}–{clock(to)}
      </span>
      <b>{level === 0 ? t('night.off') : formatPercent(level, i18n.language)}</b>
      <small>{reasons.join(' · ')}</small>
    </li>
  );
}
