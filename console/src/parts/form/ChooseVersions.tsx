import { Button, Radio } from 'antd';
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import styles from './form.module.css';

/** A field that two operators left different. */
export interface Difference<F extends string> {
  field: F;
  label: string;
  mine: ReactNode;
  theirs: ReactNode;
  mineByDefault: boolean;
}

interface Props<F extends string> {
  /** `same` instead of `text` when nothing differs any more. */
  texts: { title: string; text: string; same: string; what: string; mine: string; theirs: string; apply: string };
  differing: readonly Difference<F>[];
  onSettle: (keepMine: readonly F[]) => void;
}

/**
 * Two operators changed the same thing: both versions, line by line, and the choice. Takes the focus when it appears.
 */
export function ChooseVersions<F extends string>({ texts, differing, onSettle }: Props<F>) {
  const base = useId();
  const [kept, setKept] = useState<readonly F[]>(() =>
    differing.filter(({ mineByDefault }) => mineByDefault).map(({ field }) => field),
  );
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    panel.current?.focus({ preventScroll: true });
    panel.current?.scrollIntoView({ block: 'center' });
  }, []);
  const choose = (field: F, own: boolean): void =>
    setKept((list) => (own ? [...list.filter((one) => one !== field), field] : list.filter((one) => one !== field)));
  return (
    <section ref={panel} tabIndex={-1} className={styles.versions} aria-labelledby={`${base}-title`}>
      <div role="alert">
        <b id={`${base}-title`}>{texts.title}</b>
        <p>{differing.length === 0 ? texts.same : texts.text}</p>
      </div>
      {differing.length === 0 ? null : (
        <table>
          <thead>
            <tr>
              <th scope="col">{texts.what}</th>
              <th scope="col">{texts.mine}</th>
              <th scope="col">{texts.theirs}</th>
            </tr>
          </thead>
          <tbody>
            {differing.map(({ field, label, mine, theirs }) => (
              <tr key={field}>
                <th scope="row" id={`${base}-${field}`}>
                  {label}
                </th>
                {[true, false].map((own) => (
                  <td key={String(own)} data-label={own ? texts.mine : texts.theirs}>
                    <Radio
                      name={`${base}-${field}`}
                      aria-describedby={`${base}-${field}`}
                      checked={kept.includes(field) === own}
                      onChange={() => choose(field, own)}
                    >
                      {own ? mine : theirs}
                    </Radio>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Button onClick={() => onSettle(kept)}>{texts.apply}</Button>
    </section>
  );
}

/** The thing was deleted meanwhile. */
export const GoneVersion = ({ text }: { text: string }) => (
  <div className={styles.versions} role="alert">
    <b>{text}</b>
  </div>
);
