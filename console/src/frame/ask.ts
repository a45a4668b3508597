import { createStore } from 'zustand/vanilla';

/** Questions of the shell itself; a screen's own confirmations are its own dialogs. */
export type Question =
  | { kind: 'unsaved'; pages: readonly { title: string; language: string | null }[] }
  /** Commands wait to be sent; `what` each does. */
  | { kind: 'held'; what: readonly string[] };

export interface Asked {
  question: Question;
  answer: (agreed: boolean) => void;
}

export const asked = createStore<{ current: Asked | undefined }>(() => ({ current: undefined }));

/** Asks the operator; resolves with whether they agreed. A newer question answers the older one with no. */
export function ask(question: Question): Promise<boolean> {
  asked.getState().current?.answer(false);
  return new Promise((resolve) => {
    asked.setState({
      current: {
        question,
        answer: (agreed) => {
          asked.setState({ current: undefined });
          resolve(agreed);
        },
      },
    });
  });
}
