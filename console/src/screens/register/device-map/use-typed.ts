import { useState } from 'react';
import { readPosition, type Position } from './pending.ts';

type Words = Readonly<Record<'longitude' | 'latitude', string>>;

/** A position in the two boxes: what they show, and what it reads as. */
export interface TypedPosition {
  readonly shown: Words;
  readonly read: ReturnType<typeof readPosition>;
  readonly isReadable: boolean;
  type(change: Partial<Words>): void;
}

/** What is typed stands as it was typed, readable or not, until the position is moved by something else. */
export function useTyped(to: Position, onMove: (to: Position) => void): TypedPosition {
  const [typed, setTyped] = useState<{ words: Words; at: Position } | null>(null);
  const shown =
    typed?.at === to ? typed.words : { longitude: to.longitude.toFixed(6), latitude: to.latitude.toFixed(6) };
  const read = readPosition(shown);
  return {
    shown,
    read,
    isReadable: read.position !== null,
    type(change) {
      const words = { ...shown, ...change };
      const { position } = readPosition(words);
      // The very object is what tells our own move from any other, even from one to the same place.
      setTyped({ words, at: position ?? to });
      if (position) onMove(position);
    },
  };
}
