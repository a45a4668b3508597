import { useTranslation } from 'react-i18next';
import type { getTonight } from '../../../../../contract/light/nights.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { useNightWords } from '../../../parts/nights/words.ts';
import { PageLink } from '../../../parts/page/PageLink.tsx';

/** What lamps follow tonight, in one line: the plan of most of them, the others, exceptions, publications. */
export function TonightNote({ tonight }: { tonight: ReplyOf<typeof getTonight> }) {
  const { t } = useTranslation('nights');
  const words = useNightWords();
  const { schemes, moreSchemes, own, exceptions, publications } = tonight;
  const [main] = schemes;
  const others = schemes.length - 1 + moreSchemes.schemes;
  const running = publications.underWay - publications.halted;
  return (
    <>
      {main ? (
        <span>
          {main.schemeId === null ? (
            t('tonight.sun')
          ) : (
            <PageLink to="lamp/scheme" options={{ params: { id: main.schemeId } }}>
              {t('tonight.scheme', { code: main.code ?? '', name: main.name ?? '', n: words.number(main.number ?? 0) })}
            </PageLink>
          )}{' '}
          {t('lamps.count', { n: words.number(main.lamps) })}
        </span>
      ) : null}
      {others > 0 ? <PageLink to="lamp/schemes">{t('tonight.more', { n: words.number(others) })}</PageLink> : null}
      {own > 0 ? (
        <span>
          {t('tonight.own')} {t('lamps.count', { n: words.number(own) })}
        </span>
      ) : null}
      {exceptions.inForce + exceptions.planned > 0 ? (
        <PageLink to="lamp/exceptions" options={{ search: `?state=${exceptions.inForce > 0 ? 'inForce' : 'planned'}` }}>
          {t('tonight.exceptions')}{' '}
          {exceptions.inForce > 0
            ? t('tonight.inForce', { n: words.number(exceptions.inForce) })
            : t('tonight.planned', { n: words.number(exceptions.planned) })}
        </PageLink>
      ) : null}
      {running > 0 ? (
        <PageLink
          to="lamp/publications"
          options={{ search: '?state=tellingCanary,judging,tellingAll,proving,halted,reverting' }}
        >
          {t('tonight.publications')} {t('tonight.underWay', { n: words.number(running) })}
        </PageLink>
      ) : null}
      {publications.waiting > 0 ? (
        <PageLink to="lamp/publications" options={{ search: '?state=awaitingApproval' }}>
          {t('tonight.waiting', { n: words.number(publications.waiting) })}
        </PageLink>
      ) : null}
    </>
  );
}
