import { Input } from 'antd';
import { useState } from 'react';

interface Props {
  /** The text in force. */
  value: string;
  label: string;
  maxLength: number;
  className?: string | undefined;
  onSearch: (text: string) => void;
}

/** The search box above a list: asks on Enter. Another text in force replaces what is typed; the focus stays. */
export function SearchBox({ value, label, maxLength, className, onSearch }: Props) {
  const [typed, setTyped] = useState(value);
  const [inForce, setInForce] = useState(value);
  if (inForce !== value) {
    setInForce(value);
    setTyped(value);
  }
  return (
    <Input.Search
      className={className ?? ''}
      value={typed}
      allowClear
      maxLength={maxLength}
      placeholder={label}
      aria-label={label}
      onChange={(event) => setTyped(event.target.value)}
      onSearch={onSearch}
    />
  );
}
