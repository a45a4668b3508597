import { useTranslation } from 'react-i18next';
import type { getTonight } from '../../../../../contract/light/nights.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { useNightWords } from '../../../parts/nights/words.ts';
import { PageLink } from '../../../parts/page/PageLink.tsx';

/**
 * What lamps follow tonight, in one line: publications first, as they may wait for somebody, then the plan of most lamps,
 * the others, exceptions. What may be cut short has itself whole as its title.
 */
export function TonightNote({ tonight }: { tonight: ReplyOf<typeof getTonight> }) {
  const { t } = useTranslation('nights');
  const words = useNightWords();
  const { schemes, moreSchemes, own, exceptions, publications } = tonight;
  const [main] = schemes;
  const others = schemes.length - 1 + moreSchemes.schemes;
  const running = publications.underWay - publications.halted;
  const lamps = (n: number): string => t('lamps.count', { n: words.number(n) });
  const scheme = ({ code, name, number }: (typeof schemes)[number]): string =>
    t('tonight.scheme', { code: code ?? '', name: name ?? '', n: words.number(number ?? 0) });
  const otherSchemes = t('tonight.more', { n: words.number(others) });
  const ownOnes = `${t('tonight.own')} ${lamps(own)}`;
  const except = `${t('tonight.exceptions')} ${
    exceptions.inForce > 0
      ? t('tonight.inForce', { n: words.number(exceptions.inForce) })
      : t('tonight.planned', { n: words.number(exceptions.planned) })
  }`;
  return (
    <>
      {publications.waiting > 0 ? (
        <span>
          <PageLink to="lamp/publications" options={{ search: '?state=awaitingApproval' }}>
            {t('tonight.waiting', { n: words.number(publications.waiting) })}
          </PageLink>
        </span>
      ) : null}
      {running > 0 ? (
        <span>
          <PageLink
            to="lamp/publications"
            options={{ search: '?state=tellingCanary,judging,tellingAll,proving,halted,reverting' }}
          >
            {t('tonight.publications')} {t('tonight.underWay', { n: words.number(running) })}
          </PageLink>
        </span>
      ) : null}
      {main ? (
        <span title={`${main.schemeId === null ? t('tonight.sun') : scheme(main)} ${lamps(main.lamps)}`}>
          {main.schemeId === null ? (
            t('tonight.sun')
          ) : (
            <PageLink to="lamp/scheme" options={{ params: { id: main.schemeId } }}>
              {scheme(main)}
            </PageLink>
          )}{' '}
          {lamps(main.lamps)}
        </span>
      ) : null}
      {others > 0 ? (
        <span title={otherSchemes}>
          <PageLink to="lamp/schemes">{otherSchemes}</PageLink>
        </span>
      ) : null}
      {own > 0 ? <span title={ownOnes}>{ownOnes}</span> : null}
      {exceptions.inForce + exceptions.planned > 0 ? (
        <span title={except}>
          <PageLink
            to="lamp/exceptions"
            options={{ search: `?state=${exceptions.inForce > 0 ? 'inForce' : 'planned'}` }}
          >
            {except}
          </PageLink>
        </span>
      ) : null}
    </>
  );
}
