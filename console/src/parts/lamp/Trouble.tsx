import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lampAlarms } from '../../../../catalogue/alarms/lamp.ts';
import { getCommandSettings } from '../../../../contract/light/command-settings.ts';
import { whyLamp } from '../../../../contract/light/why.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import { useCall } from '../../api/index.ts';
import { useNames } from '../../locales/catalogue-names.ts';
import { formatNumber, formatPercent } from '../../locales/format-number.ts';
import { inPreview } from '../../session/index.ts';
import { durationText } from '../charts/gaps.ts';
import { commandBody, type CommandBody } from '../commands/commands.ts';
import { Icon, StateMark, useErrorText, useTime } from '../index.ts';
import type { Lamp } from './lamp.ts';
import { voltageBand } from './PowerCurve.tsx';
import styles from './trouble.module.css';

type Why = ReplyOf<typeof whyLamp>;
/** Suspicions that only repeat what the head of the block says. */
const repeated: ReadonlySet<string> = new Set(['fault', 'away', 'unknown', 'oldReading']);

/** Whether something is wrong that comes before everything else about a lamp. */
export const isInTrouble = ({ fault, state }: Lamp): boolean =>
  fault !== null || state === 'alarm' || state === 'offline';

/** Faults that are judged by the voltage, not by the light. */
const byVoltage: ReadonlySet<string> = new Set(
  lampAlarms.flatMap(({ code, raise }) => ('quantity' in raise && raise.quantity === 'voltage' ? [code] : [])),
);

interface Props {
  lamp: Lamp;
  canControl: boolean;
  pending: boolean;
  onSend: (body: CommandBody) => Promise<void>;
}

/**
 * What is wrong with a lamp: the fault and since when, what was expected and what was measured, what may be the cause,
 * and what can be tried at once. Nothing for a lamp that is in order.
 */
export function Trouble(props: Props) {
  const { lamp } = props;
  const { t, i18n } = useTranslation('lamp');
  const names = useNames();
  const time = useTime();
  const why = useCall(whyLamp, { params: { id: lamp.id }, query: {} }, { staleTime: 0, enabled: isInTrouble(lamp) });
  if (!isInTrouble(lamp)) return null;
  const away = lamp.state === 'offline';
  const since = lamp.faultSince ?? (away ? lamp.at : null);
  const cause = why.data?.suspicions.find(({ code, weight }) => !repeated.has(code) && weight !== 'possible');
  const advice = lamp.fault === null ? '' : names.whatToDo(lamp.fault);
  return (
    <section className={styles.trouble} data-away={away || undefined} aria-label={t('trouble.title')}>
      <h3>
        <StateMark
          state={away ? 'offline' : 'alarm'}
          word={lamp.fault === null ? names.state(lamp.state) : names.fault(lamp.fault)}
        />
        {since === null ? null : (
          <span className={styles.since}>
            {t('trouble.since', {
              time: time(since, 'dayTime'),
              length: durationText(Date.now() - Date.parse(since), i18n.language),
            })}
          </span>
        )}
      </h3>
      {away ? <Away /> : why.data ? <Rule lamp={lamp} why={why.data} /> : null}
      {cause === undefined ? null : (
        <p>
          {t(cause.weight === 'certain' ? 'trouble.cause' : 'trouble.likely', {
            cause: names.why(`suspicion.${cause.code}`),
          })}
        </p>
      )}
      {advice === '' ? null : (
        <p className={styles.advice}>
          <Icon name="tool" size={13} />
          {advice}
        </p>
      )}
      {props.canControl ? <Actions {...props} lit={(why.data?.expected.level ?? 0) > 0} /> : null}
    </section>
  );
}

/** What was asked of the lamp and what it measures. */
function Rule({ lamp, why }: { lamp: Lamp; why: Why }) {
  const { t, i18n } = useTranslation('lamp');
  const number = (n: number, decimals: number): string => formatNumber(n, i18n.language, decimals);
  if (lamp.fault !== null && byVoltage.has(lamp.fault) && lamp.voltage !== null)
    return (
      <p className={styles.rule}>
        {t('trouble.voltage', {
          volts: number(lamp.voltage, 1),
          low: number(voltageBand.low, 0),
          high: number(voltageBand.high, 1),
        })}
      </p>
    );
  const expected = formatPercent(why.expected.level, i18n.language);
  const watts = why.observed?.power ?? lamp.power;
  return (
    <p className={styles.rule}>
      {watts === null
        ? t('trouble.expectedOnly', { expected })
        : t('trouble.expected', { expected, watts: number(watts, watts > 0 && watts < 10 ? 1 : 0) })}
    </p>
  );
}

/** What becomes of a command for a lamp that cannot be reached, by the site's own limit. */
function Away() {
  const { t, i18n } = useTranslation('lamp');
  const limits = useCall(getCommandSettings, undefined, { staleTime: 60_000 }).data?.limits;
  if (!limits) return null;
  return <p>{t('trouble.queue', { seconds: formatNumber(limits.queueSeconds, i18n.language, 0) })}</p>;
}

/** Reading the lamp now, and lighting it again where it should be lit. */
function Actions({ lamp, pending, onSend, lit }: Props & { readonly lit: boolean }) {
  const { t } = useTranslation('lamp');
  const textOf = useErrorText();
  const [failure, setFailure] = useState<string | null>(null);
  const resting = pending || lamp.state === 'maintenance' || inPreview();
  const send = async (body: CommandBody): Promise<void> => {
    setFailure(null);
    try {
      await onSend(body);
    } catch (error) {
      setFailure(textOf(error));
    }
  };
  const target = { deviceIds: [lamp.id] };
  return (
    <>
      <div className={styles.actions}>
        <Button size="small" disabled={resting} onClick={() => void send({ ...target, command: 'read' })}>
          {t('trouble.read')}
        </Button>
        {lit ? (
          <Button
            size="small"
            disabled={resting}
            onClick={() => void send(commandBody({ command: 'on' }, target, null, ''))}
          >
            {t('trouble.retry')}
          </Button>
        ) : null}
      </div>
      {failure === null ? null : (
        <p className={styles.failure} role="alert">
          {failure}
        </p>
      )}
    </>
  );
}
