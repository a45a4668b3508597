import type { ReactNode } from 'react';
import styles from './WideTable.module.css';

interface Props {
  label: string;
  heads: readonly string[];
  rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[];
  className?: string | undefined;
}

/**
 * A table of figures; the first cell is its row's head. On a phone a row of more than three columns is a block, each
 * figure below its own head.
 */
export function WideTable({ label, heads, rows, className = '' }: Props) {
  return (
    <table className={`${styles.table} ${className}`} aria-label={label} data-wide={heads.length > 3 || undefined}>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells: [first, ...others] }) => (
          <tr key={key}>
            <th scope="row">{first}</th>
            {others.map((cell, index) => (
              <td key={heads[index + 1]} data-head={heads[index + 1]}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
