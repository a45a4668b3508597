import { Button, Checkbox } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  cancelPublication,
  getPublication,
  haltPublication,
  listPublications,
  resumePublication,
  revertPublication,
} from '../../../../../contract/light/publications.ts';
import { useSend } from '../../../api/index.ts';
import { useOpen, usePageKeys, usePermission } from '../../../frame/index.ts';
import { ActDialog } from '../../../parts/commands/ActDialog.tsx';
import { Affects } from '../../../parts/dry-run/Affects.tsx';
import { Icon, toast, type IconName } from '../../../parts/index.ts';
import { toldOf, usePublicationWords, type Publication } from '../../../parts/publishing/words.ts';
import { inPreview } from '../../../session/index.ts';
import styles from './publication.module.css';

type Act = 'resume' | 'halt' | 'revert' | 'cancel';
const running: ReadonlySet<string> = new Set(['tellingCanary', 'judging', 'tellingAll', 'proving']);
const refreshed = [getPublication, listPublications];
/** A second `R` within this asks to take the publication back, ms. */
const twiceWithin = 2_000;
/** When `R` was pressed last on which publication: the first one refreshes the page, which begins anew. */
const pressedAt = new Map<number, number>();

/** Which acts a publication offers now. What nobody was told is given up; what lamps were told is taken back. */
export function actsOf({ phase, states, judged, canary, reverts, revertedBy }: Publication): ReadonlySet<Act> {
  const told = toldOf(states);
  const left = (states['waiting'] ?? 0) + (states['pending'] ?? 0);
  const acts: [Act, boolean][] = [
    ['resume', phase === 'halted' || (phase === 'judging' && judged?.passed === true && canary !== null)],
    ['halt', running.has(phase) && left > 0],
    ['revert', (running.has(phase) || phase === 'halted' || (phase === 'done' && revertedBy === null)) && told > 0],
    // A return that began goes on.
    [
      'cancel',
      phase === 'awaitingApproval' || ((running.has(phase) || phase === 'halted') && told === 0 && reverts === null),
    ],
  ];
  return new Set(acts.filter(([, possible]) => possible).map(([act]) => act));
}

/** What can be done with a publication, each asked about with what follows from it before it is done. */
export function Actions({ of }: { of: Publication }) {
  const { t } = useTranslation('publishing');
  const may = usePermission('plan.publish');
  const [asked, setAsked] = useState<Act | null>(null);
  // Who sees a part of its lamps decides nothing about the others.
  const offered = may && of.whole ? actsOf(of) : new Set<Act>();
  const close = (): void => setAsked(null);
  usePageKeys(
    {
      R: () => {
        if (!offered.has('revert') || inPreview()) return false;
        const isSecond = Date.now() - (pressedAt.get(of.id) ?? Number.NEGATIVE_INFINITY) <= twiceWithin;
        if (isSecond) {
          pressedAt.delete(of.id);
          setAsked('revert');
          return true;
        }
        pressedAt.set(of.id, Date.now());
        toast.note(t('revert.again'));
        return false;
      },
    },
    true,
  );
  const button = (act: Act, icon: IconName, primary = false) =>
    offered.has(act) ? (
      <Button
        key={act}
        {...(primary ? { type: 'primary' as const } : {})}
        danger={act === 'revert'}
        disabled={inPreview()}
        icon={<Icon name={icon} size={14} />}
        {...(act === 'revert' ? { title: t('revert.key') } : {})}
        onClick={() => setAsked(act)}
      >
        {t(`act.${act}`)}
      </Button>
    ) : null;
  return (
    <>
      {button('resume', 'right', true)}
      {button('halt', 'minus')}
      {button('revert', 'undo')}
      {button('cancel', 'close')}
      {asked === 'resume' ? <Resume of={of} onClose={close} /> : null}
      {asked === 'halt' ? <Halt of={of} onClose={close} /> : null}
      {asked === 'revert' ? <Revert of={of} onClose={close} /> : null}
      {asked === 'cancel' ? <Cancel of={of} onClose={close} /> : null}
    </>
  );
}

/** What an act would do is asked before its reason is written: it does not depend on it. */
const unsaid = { reason: '—' } as const;

interface DialogProps {
  of: Publication;
  onClose: () => void;
}

function Resume({ of: { id, states }, onClose }: DialogProps) {
  const { t } = useTranslation('publishing');
  const { number } = usePublicationWords();
  const send = useSend(resumePublication, refreshed, { quiet: true });
  const left = (states['waiting'] ?? 0) + (states['pending'] ?? 0);
  const rest = number(left);
  return (
    <ActDialog
      title={t('resume.title')}
      ok={t('resume.ok', { n: rest })}
      reason="possible"
      onOk={async (reason) => {
        await send.mutateAsync({ params: { id }, body: reason === '' ? {} : { reason } });
        toast.done(t('resume.done'));
      }}
      onClose={onClose}
    >
      <p className={styles.about}>{t('resume.about', { n: rest })}</p>
      <Affects
        route={resumePublication}
        input={{ params: { id }, body: {} }}
        things={['publicationLamps']}
        shown={left}
      />
    </ActDialog>
  );
}

function Halt({ of: { id, states }, onClose }: DialogProps) {
  const { t } = useTranslation('publishing');
  const { number } = usePublicationWords();
  const send = useSend(haltPublication, refreshed, { quiet: true });
  return (
    <ActDialog
      title={t('halt.title')}
      ok={t('act.halt')}
      reason="needed"
      onOk={async (reason) => {
        await send.mutateAsync({ params: { id }, body: { reason } });
        toast.done(t('halt.done'));
      }}
      onClose={onClose}
    >
      <p className={styles.about}>
        {t('halt.about', {
          n: number((states['waiting'] ?? 0) + (states['pending'] ?? 0)),
          told: number(toldOf(states)),
        })}
      </p>
      <Affects route={haltPublication} input={{ params: { id }, body: unsaid }} things={[]} />
    </ActDialog>
  );
}

/** Twice confirmed: what happens to how many lamps is ticked before the button can be pressed. */
function Revert({ of, onClose }: DialogProps) {
  const { t } = useTranslation('publishing');
  const words = usePublicationWords();
  const open = useOpen();
  const [sure, setSure] = useState(false);
  const send = useSend(revertPublication, refreshed, { quiet: true });
  const n = words.number(toldOf(of.states));
  return (
    <ActDialog
      title={t('revert.title')}
      ok={t('revert.ok', { n })}
      danger
      reason="needed"
      ready={sure}
      onOk={async (reason) => {
        const { revertId, phase } = await send.mutateAsync({ params: { id: of.id }, body: { reason } });
        toast.done(t(phase === 'done' ? 'revert.waiting' : 'revert.done'));
        open('lamp/publication', { params: { id: revertId } });
      }}
      onClose={onClose}
    >
      <p className={styles.about}>{t('revert.about', { n, what: words.title(of) })}</p>
      <Affects
        route={revertPublication}
        input={{ params: { id: of.id }, body: unsaid }}
        things={[]}
        effectOf={({ lamps, darker, phase }) => ({ lamps, darker, second: phase === 'done' })}
      />
      <Checkbox className={styles.sure ?? ''} checked={sure} onChange={(event) => setSure(event.target.checked)}>
        {t('revert.sure', { n })}
      </Checkbox>
    </ActDialog>
  );
}

function Cancel({ of: { id, total }, onClose }: DialogProps) {
  const { t } = useTranslation('publishing');
  const { number } = usePublicationWords();
  const send = useSend(cancelPublication, refreshed, { quiet: true });
  return (
    <ActDialog
      title={t('cancel.title')}
      ok={t('act.cancel')}
      danger
      reason="needed"
      onOk={async (reason) => {
        await send.mutateAsync({ params: { id }, body: { reason } });
        toast.done(t('cancel.done'));
      }}
      onClose={onClose}
    >
      <p className={styles.about}>{t('cancel.about', { n: number(total) })}</p>
      <Affects
        route={cancelPublication}
        input={{ params: { id }, body: unsaid }}
        things={['publicationLamps']}
        shown={total}
      />
    </ActDialog>
  );
}
