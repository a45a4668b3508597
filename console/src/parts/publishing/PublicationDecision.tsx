import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { decidePublication, getPublication, listPublications } from '../../../../contract/light/publications.ts';
import { useSend } from '../../api/index.ts';
import { inPreview } from '../../session/index.ts';
import { ActDialog } from '../commands/ActDialog.tsx';
import { Icon, toast } from '../index.ts';
import { usePublicationWords, type Publication } from './words.ts';
import styles from './publishing.module.css';

/** Agree or refuse, each asked about once more with what would happen; refusing needs a reason. */
export function PublicationDecision({ of }: { of: Publication }) {
  const { t } = useTranslation('publishing');
  const words = usePublicationWords();
  const decide = useSend(decidePublication, [getPublication, listPublications], { quiet: true });
  const [asked, setAsked] = useState<'approve' | 'refuse' | null>(null);
  const what = words.title(of);
  const close = (): void => setAsked(null);
  const send = async (approved: boolean, reason: string): Promise<void> => {
    await decide.mutateAsync({ params: { id: of.id }, body: { approved, ...(reason === '' ? {} : { reason }) } });
    toast.done(t(approved ? 'decision.approved' : 'decision.refused', { what }));
  };
  const about = (
    <p className={styles.about}>
      {t('decision.about', { name: of.actorName, what, scope: words.scope(of), day: of.effectiveFrom })}{' '}
      {of.darkens > 0 ? t('decision.darkens', { n: words.number(of.darkens) }) : ''}
      {of.reason === null ? '' : ` ${t('because', { reason: of.reason })}`}
    </p>
  );
  return (
    <>
      <Button
        type="primary"
        disabled={inPreview()}
        icon={<Icon name="check" size={14} />}
        onClick={() => setAsked('approve')}
      >
        {t('decision.approve')}
      </Button>
      <Button danger disabled={inPreview()} icon={<Icon name="close" size={14} />} onClick={() => setAsked('refuse')}>
        {t('decision.refuse')}
      </Button>
      {asked === 'approve' ? (
        <ActDialog
          title={t('decision.approveTitle')}
          ok={
            of.canary === null
              ? t('decision.approveAll', { n: words.number(of.total) })
              : t('decision.approveOk', { n: words.number(of.canary.count) })
          }
          reason="possible"
          onOk={(reason) => send(true, reason)}
          onClose={close}
        >
          {about}
        </ActDialog>
      ) : null}
      {asked === 'refuse' ? (
        <ActDialog
          title={t('decision.refuseTitle')}
          ok={t('decision.refuse')}
          danger
          reason="needed"
          onOk={(reason) => send(false, reason)}
          onClose={close}
        >
          {about}
        </ActDialog>
      ) : null}
    </>
  );
}
