import { useTranslation } from 'react-i18next';
import { useOpen } from '../../frame/tabs/tab-context.ts';
import { usePageExists } from '../../frame/menu/menu-context.ts';
import { useCommands } from '../../parts/commands/commands.ts';
import { CommandDialog } from '../../parts/commands/send/CommandDialog.tsx';
import { noScope } from '../../parts/commands/send/ScopeFields.tsx';
import { formatNumber, toast } from '../../parts/index.ts';
import { askCommand, type AskedCommand } from './asked-command.ts';

/** The dialog of every command, filled in with what the search understood. */
export default function SearchCommand({ asked: { start, scope } }: { asked: AskedCommand }) {
  const { t, i18n } = useTranslation('commands');
  const open = useOpen();
  const hasTask = usePageExists()('lamp/command');
  const commands = useCommands(({ id, total, state }) => {
    // It has said that it waits for a second person: nothing was sent.
    if (state === 'awaitingApproval') return;
    const show = { text: t('hold.open'), onClick: () => open('lamp/command', { params: { id } }) };
    toast.done(t('hold.sent', { n: formatNumber(total, i18n.language, 0) }), hasTask ? show : undefined);
  });
  return (
    <CommandDialog
      target={{ kind: 'scope', scope: scope ?? noScope }}
      start={start}
      action={null}
      pending={commands.pending}
      onSend={commands.send}
      onClose={() => askCommand(null)}
    />
  );
}
