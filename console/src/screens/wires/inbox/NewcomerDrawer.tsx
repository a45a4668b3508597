import { Button, Drawer } from 'antd';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  blockNewcomer,
  forgetNewcomer,
  getNewcomer,
  listBatches,
  listNewcomers,
} from '../../../../../contract/wires/provisioning.ts';
import { useAgain, useCall, useLive, useSend } from '../../../api/index.ts';
import { useDeviceAddress, useOpen } from '../../../frame/index.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { Part } from '../../../parts/declared/Part.tsx';
import { useLast } from '../../../parts/declared/use-last.ts';
import { useTypedInput } from '../../../parts/declared/use-typed-input.ts';
import { Alert, Empty, ErrorState, Refusal, RelativeTime, Skeleton, StateMark, toast } from '../../../parts/index.ts';
import { inPreview } from '../../../session/index.ts';
import { ClaimPanel, type Claimed, type Typing } from './ClaimPanel.tsx';
import { plainAddress, type OpenNewcomer } from './newcomer.ts';
import { State } from './State.tsx';
import declared from '../../../parts/declared/declared.module.css';
import styles from './inbox.module.css';

const everyMs = 5000;

/**
 * One newcomer beside the list: what it is, what it said, and what becomes of it. Closing it with unsaved input asks
 * first.
 */
export function NewcomerDrawer({ id, onClose }: { id: number | null; onClose: () => void }) {
  const { t } = useTranslation('provisioning');
  const shown = useLast(id);
  const one = useCall(
    getNewcomer,
    { params: { id: shown ?? 0 } },
    { enabled: id !== null, staleTime: 0, every: everyMs },
  );
  const again = useAgain(one);
  useLive(id === null ? null : 'inbox', again);
  // Claimed: its own first message is told under its own name.
  const deviceId = one.data?.deviceId ?? null;
  useLive(id === null || deviceId === null ? null : `device:${deviceId}`, again);
  const [claimed, setClaimed] = useState<(Claimed & { of: number }) | null>(null);
  const gone = one.error?.status === 404;
  const typing = useTypedInput(
    id !== null && !gone && one.data?.state === 'waiting',
    one.data?.serial ?? t('inbox.title'),
  );
  return (
    <Drawer
      open={id !== null}
      onClose={() => typing.guard(onClose)}
      size="min(680px, 100vw)"
      title={one.data ? <span className="code">{one.data.serial}</span> : t('inbox.title')}
      styles={{ body: { padding: 0 } }}
      destroyOnHidden
    >
      {one.data && !gone ? (
        <Detail
          key={one.data.id}
          one={one.data}
          claimed={claimed?.of === one.data.id ? claimed : null}
          onClaimed={(next) => setClaimed({ ...next, of: one.data.id })}
          onGone={onClose}
          typing={typing}
        />
      ) : gone ? (
        <Empty title={t('newcomer.gone')} />
      ) : one.error ? (
        <ErrorState error={one.error} onRetry={one.refetch} />
      ) : (
        <Skeleton rows={8} />
      )}
    </Drawer>
  );
}

interface DetailProps {
  one: OpenNewcomer;
  claimed: Claimed | null;
  onClaimed: (claimed: Claimed) => void;
  onGone: () => void;
  typing: Typing;
}

function Detail({ one, claimed, onClaimed, onGone, typing }: DetailProps) {
  const { t } = useTranslation('provisioning');
  return (
    <div className={declared.detail}>
      <div className={declared.detailHead}>
        <State one={one} />
        <span>
          {t('list.lastAt')} <RelativeTime at={one.lastAt} />
        </span>
      </div>
      {one.doubt === null ? null : (
        <Alert kind="problem" title={t(`doubt.${one.doubt}`)}>
          {t('doubt.about')}
        </Alert>
      )}
      {one.state === 'claimed' ? <Outcome one={one} claimed={claimed} /> : null}
      {one.state === 'waiting' && !one.ready ? (
        <Alert kind="note" title={t('newcomer.noHello')}>
          {t('newcomer.noHelloText')}
        </Alert>
      ) : null}
      <Facts one={one} />
      {one.state === 'waiting' ? (
        <section>
          <h3>{t('claim.title')}</h3>
          <ClaimPanel one={one} onClaimed={onClaimed} typing={typing} />
        </section>
      ) : null}
      <section>
        <h3>{t('newcomer.payloads')}</h3>
        <Payloads one={one} />
      </section>
      <Keep one={one} onGone={onGone} />
    </div>
  );
}

function Facts({ one }: { one: OpenNewcomer }) {
  const { t } = useTranslation('provisioning');
  const names = useNames();
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t('list.batch'), one.batchName],
    [t('list.work'), one.workName],
    [t('list.family'), one.family === null ? t('list.familyUnknown') : names.family(one.family)],
    [t('list.model'), [one.model, one.firmware].filter(Boolean).join(' · ') || '—'],
    [t('newcomer.name'), one.name ?? '—'],
    [
      t('newcomer.position'),
      one.longitude === null || one.latitude === null ? '—' : `${one.latitude.toFixed(6)}, ${one.longitude.toFixed(6)}`,
    ],
    [
      t('list.address'),
      <span className="code" key="address">
        {plainAddress(one.address)}
      </span>,
    ],
    [t('list.messages'), one.messages],
    [t('list.firstAt'), <RelativeTime key="first" at={one.firstAt} />],
  ];
  return (
    <dl className={declared.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What became of a claim: the device as itself, or what still has to be done by hand. */
function Outcome({ one, claimed }: { one: OpenNewcomer; claimed: Claimed | null }) {
  const { t } = useTranslation('provisioning');
  const { t: words } = useTranslation('declared');
  const open = useOpen();
  const page = useDeviceAddress()(one.deviceFamily, one.deviceId ?? 0);
  return (
    <div className={styles.outcome}>
      <Alert
        kind={one.arrivedAt === null ? 'note' : 'done'}
        title={t('claim.done', { code: one.deviceCode ?? '' })}
        action={
          page === undefined ? null : (
            <Button size="small" onClick={() => open(page)}>
              {t('done.page')}
            </Button>
          )
        }
      >
        {one.arrivedAt === null ? (
          <StateMark state="unknown" word={t(one.ready ? 'claim.told' : 'claim.byHand')} />
        ) : (
          <StateMark state="on" word={t('claim.arrived')} />
        )}
        {one.claimedBy === null ? null : (
          <p className={styles.hint}>
            {t('claim.by', { name: one.claimedBy })} <RelativeTime at={one.claimedAt ?? one.lastAt} />
          </p>
        )}
      </Alert>
      {claimed?.credentials ? (
        <>
          <p className={declared.note}>{words('credentials.once')}</p>
          <div className={declared.secret}>
            {(['clientId', 'username', 'password'] as const).map((part) => (
              <Part key={part} name={words(`credentials.${part}`)} text={claimed.credentials?.[part] ?? ''} />
            ))}
          </div>
        </>
      ) : null}
    </div>
  );
}

function Payloads({ one }: { one: OpenNewcomer }) {
  const { t } = useTranslation('provisioning');
  if (one.payloads.length === 0) return <p className={styles.hint}>{t('newcomer.silent')}</p>;
  return (
    <ul className={styles.payloads}>
      {one.payloads.map((payload) => (
        <li key={`${payload.at}${payload.kind}${payload.text}`}>
          <span className={styles.payloadHead}>
            <b>{payload.kind === 'hello' ? t('newcomer.hello') : t('newcomer.readings')}</b>
            <RelativeTime at={payload.at} />
          </span>
          {payload.problem === null ? null : (
            <span className={styles.problem}>
              {t('newcomer.unreadable')} <code>{payload.problem}</code>
            </span>
          )}
          <code className={styles.payload}>{payload.text}</code>
        </li>
      ))}
    </ul>
  );
}

/** Keeping it out, letting it in again, or forgetting it. */
function Keep({ one, onGone }: { one: OpenNewcomer; onGone: () => void }) {
  const { t } = useTranslation('provisioning');
  const block = useSend(blockNewcomer, [listNewcomers, getNewcomer, listBatches], { quiet: true });
  const forget = useSend(forgetNewcomer, [listNewcomers, listBatches], { quiet: true });
  const error = block.error ?? forget.error;
  const params = { id: one.id };
  if (inPreview()) return null;
  return (
    <>
      {error ? <Refusal error={error} /> : null}
      <div className={styles.keep}>
        {one.state === 'waiting' ? (
          <Button
            danger
            loading={block.isPending}
            title={t('block.about')}
            onClick={() =>
              block.mutate({ params, body: { blocked: true } }, { onSuccess: () => toast.done(t('block.done')) })
            }
          >
            {t('block')}
          </Button>
        ) : null}
        {one.state === 'blocked' ? (
          <Button loading={block.isPending} onClick={() => block.mutate({ params, body: { blocked: false } })}>
            {t('unblock')}
          </Button>
        ) : null}
        <Button
          loading={forget.isPending}
          title={t('forget.about')}
          onClick={() => forget.mutate({ params }, { onSuccess: onGone })}
        >
          {t('forget')}
        </Button>
      </div>
    </>
  );
}
