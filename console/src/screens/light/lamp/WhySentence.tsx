import { Button, Select } from 'antd';
import { Suspense, use } from 'react';
import { useTranslation } from 'react-i18next';
import { languages, type Language } from '../../../../../catalogue/languages.ts';
import { whySentence } from '../../../../../catalogue/lighting/why.ts';
import type { whyLamp } from '../../../../../contract/light/why.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { usePreference } from '../../../frame/index.ts';
import { namesFor } from '../../../locales/catalogue-names.ts';
import { Skeleton, toast } from '../../../parts/index.ts';
import { languages as spoken } from '../../../session/languages.ts';
import styles from './why.module.css';

type Why = ReplyOf<typeof whyLamp>;

const options = languages.map((tag) => ({ value: tag, label: spoken.find((one) => one.tag === tag)?.name ?? tag }));
const languageIn = (stored: unknown): Language | null => languages.find((one) => one === stored) ?? null;

/** The answer in one sentence, ready to send, in the language of who asked. */
export function WhySentence({ why }: { why: Why }) {
  const { t, i18n } = useTranslation('lamp');
  // Kept with the account: a desk answers in the same few languages.
  const [chosen, setChosen] = usePreference<Language | null>('whyLanguage', null, languageIn);
  const language = chosen ?? languageIn(i18n.language) ?? 'en-US';
  return (
    <section className={styles.sentence} aria-label={t('why.sentence')}>
      <Suspense fallback={<Skeleton rows={2} />}>
        <Text why={why} language={language} />
      </Suspense>
      <Select<Language>
        size="small"
        aria-label={t('why.language')}
        value={language}
        options={options}
        popupMatchSelectWidth={false}
        onChange={setChosen}
      />
    </section>
  );
}

function Text({ why, language }: { why: Why; language: Language }) {
  const { t } = useTranslation('lamp');
  const text = whySentence(use(namesFor(language)), why, language);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      toast.done(t('why.copied'));
    } catch {
      toast.warning(t('why.noCopy'), 6_000);
    }
  };
  return (
    <>
      <p lang={language}>{text}</p>
      <Button size="small" onClick={() => void copy()}>
        {t('why.copy')}
      </Button>
    </>
  );
}
