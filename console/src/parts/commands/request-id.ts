import { useRef } from 'react';

/** A UUID (version 4) also where the page came by plain http, whose `crypto` has no `randomUUID`. */
export function newRequestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes]
    .map((byte, index) =>
      (index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte).toString(16).padStart(2, '0'),
    )
    .join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/**
 * Names requests so that one whose answer got lost can be sent again and is made only once: the same content has the
 * same name until it was answered.
 */
export function useRequestIds(): { of: (content: unknown) => string; answered: (content: unknown) => void } {
  const names = useRef(new Map<string, string>());
  return {
    of(content) {
      const key = JSON.stringify(content);
      const name = names.current.get(key) ?? newRequestId();
      names.current.set(key, name);
      return name;
    },
    answered: (content) => void names.current.delete(JSON.stringify(content)),
  };
}
