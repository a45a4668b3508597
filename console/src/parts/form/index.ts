/**
 * What form pages share: a field with its problem, the bar of buttons, both versions after a conflict, one attempt at a
 * time.
 */
export { ChooseVersions, GoneVersion, type Difference } from './ChooseVersions.tsx';
export { Field } from './Field.tsx';
export { FirstFocus } from './FirstFocus.tsx';
export { FormFoot } from './FormFoot.tsx';
export { showFirstProblem } from './first-problem.ts';
export { useRested } from '../../api/use-rested.ts';
export { useLeaveByTab } from './use-leave-by-tab.ts';
export { useVersionedForm, type Problem } from './use-versioned-form.ts';
export { useSubmit } from './use-submit.ts';
export { default as dialogStyles } from './dialog.module.css';
export { default as formStyles } from './form.module.css';
