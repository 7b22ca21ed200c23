/** The cause of the messages in each file, in the order in which a user may see them. */
export const causes: ReadonlyArray<{ title: string; cause: string; files: readonly string[] }> = [
	{
		title: 'Rows that need a correction',
		cause:
			'With On Error set to Stop Workflow, the run ends before the first request if a row cannot be sent. The messages below stand in for "…".',
		files: ['report/invalidSummary.ts', 'report/corrections.ts'],
	},
	{
		title: 'Text fields',
		cause: 'A field for text is empty, has a gap, is not text, or holds what cannot be sent.',
		files: ['fields/text.ts', 'fields/characters.ts', 'fields/textCheck.ts', 'plan/textGaps.ts'],
	},
	{
		title: 'Email addresses, phone numbers and links',
		cause: 'A value is not what the field is for.',
		files: ['fields/email.ts', 'fields/mobile.ts', 'fields/phone.ts', 'fields/link.ts'],
	},
	{
		title: 'Numbers and switches',
		cause: 'A value is not a number, is out of range, or is neither true nor false.',
		files: ['fields/values.ts', 'fields/number.ts', 'fields/minutes.ts'],
	},
	{
		title: 'JSON and attributes',
		cause: 'JSON cannot be read, or an attribute cannot be sent.',
		files: [
			'fields/json.ts',
			'fields/attributes.ts',
			'fields/attributeTypes.ts',
			'fields/field.ts',
			'operations/extra.ts',
		],
	},
	{
		title: 'Columns of the input',
		cause: 'Data Mode is Auto-Map Input Data, and a column is missing or is not named.',
		files: ['operations/dataMode.ts'],
	},
	{
		title: 'Recipients, platforms and senders',
		cause:
			'A choice in the form or from an expression is not known, or the credential has no sender.',
		files: [
			'fields/choice.ts',
			'operations/platforms.ts',
			'operations/messageContent.ts',
			'operations/sender.ts',
		],
	},
	{
		title: 'Custom requests and paths',
		cause: 'The path or body of a custom request, or a path in the credential, cannot be used.',
		files: ['operations/customRequest.ts', 'operations/customPath.ts'],
	},
	{
		title: 'Times',
		cause: 'Send At, Event Time or their timezone cannot be used, or clocks change at that time.',
		files: [
			'schedule/choice.ts',
			'schedule/dateTime.ts',
			'schedule/eventTime.ts',
			'schedule/next.ts',
			'schedule/formatting.ts',
			'schedule/format.ts',
		],
	},
	{
		title: 'Size and number of broadcasts',
		cause: 'A request would be too large, or a run would send more broadcasts than allowed.',
		files: [
			'plan/plan.ts',
			'plan/bodySize.ts',
			'operations/message.ts',
			'plan/broadcastGuard.ts',
			'plan/longWait.ts',
			'plan/sendOnceKey.ts',
		],
	},
	{
		title: 'Options and expressions',
		cause:
			'An option or expression cannot be used for the whole run, or an agent would decide too much.',
		files: [
			'run/options.ts',
			'run/parameters.ts',
			'run/modelAccess.ts',
			'run/resolveRun.ts',
			'run/sendOnce.ts',
			'run/testRecipient.ts',
		],
	},
	{
		title: 'The credential',
		cause: 'A field of the credential cannot be used. The credential test says the same.',
		files: [
			'run/credentialChecks.ts',
			'run/segments.ts',
			'run/segmentSearch.ts',
			'schedule/checkFormat.ts',
		],
	},
	{
		title: 'The credential test',
		cause: 'Someone saves or tests the credential.',
		files: ['run/credentialTest.ts'],
	},
	{
		title: 'Requests that failed',
		cause: 'The service refused a request, did not answer, or was not reached.',
		files: [
			'report/messages.ts',
			'report/internalError.ts',
			'report/whatToCheck.ts',
			'report/items.ts',
		],
	},
	{
		title: 'How a run ended',
		cause: 'The run was stopped, or a request failed with On Error set to Stop Workflow.',
		files: [
			'report/summary.ts',
			'report/executionCounts.ts',
			'delivery/sendAll.ts',
			'delivery/sendRequest.ts',
			'delivery/gate.ts',
			'delivery/progress.ts',
			'delivery/dispatcher.ts',
			'delivery/attempts.ts',
		],
	},
	{
		title: 'Retries',
		cause: 'A retry cannot tell for certain what an earlier attempt sent.',
		files: ['n8n/entryStore.ts', 'delivery/openJournal.ts', 'delivery/storeProblems.ts'],
	},
	{
		title: 'Questions',
		cause: 'The operation is Send and Wait for Response.',
		files: [
			'run/askGuards.ts',
			'operations/askOperation.ts',
			'operations/askChannels.ts',
			'ask/form.ts',
			'ask/waitLimit.ts',
			'delivery/askRecords.ts',
			'report/askHints.ts',
		],
	},
	{
		title: 'The page of a question',
		cause: 'Somebody opens the link of a question, or answers on its page.',
		files: ['ask/answerLink.ts'],
	},
	{
		title: 'Test messages',
		cause: 'Test Runs is set to Test Recipient.',
		files: ['plan/testMessage.ts', 'report/testHints.ts'],
	},
	{
		title: 'Hints',
		cause: 'Something is worth knowing although nothing failed.',
		files: [
			'report/hints.ts',
			'report/dataHints.ts',
			'report/sameMessageHints.ts',
			'report/skippedHints.ts',
			'report/emailHints.ts',
			'report/attributeHints.ts',
			'report/timeHints.ts',
			'description.ts',
		],
	},
];
