/** Long work as the console shows it: one list everywhere, one place that remembers what was begun in this window. */
export { begun, leaveBegun, noteBegun, takeBegun } from './begun.ts';
export { isOpen, type Task } from './task.ts';
export { TaskList, useTaskTitle } from './TaskList.tsx';
export { useSaveFile, useTaskActs, useTasks, type TaskActs } from './use-tasks.ts';
