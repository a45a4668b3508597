import { StateMark } from '../index.ts';
import { useTaskWords, type Task } from './task-words.ts';

/** Where a task stands: colour, shape and word. */
export function TaskState({ task }: { task: Pick<Task, 'state' | 'states' | 'total' | 'command'> }) {
  const { mark, word } = useTaskWords().standing(task);
  return <StateMark state={mark} word={word} />;
}
