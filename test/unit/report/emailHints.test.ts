import { emailHints } from '../../../nodes/CustomerMessaging/report/contentHints';
import { VirtualClock } from '../../../simulation/virtualClock';
import { deliveryOf, operationOf } from './support/results';

const broadcast = operationOf('email', 'broadcastAll');

async function hintsOf(contents: unknown[], operation = broadcast, audience?: string) {
	const deliveries = contents.map((content, item) =>
		deliveryOf(item, { audience, buildBody: () => ({ content }) }),
	);
	return await emailHints(operation, deliveries, new VirtualClock(0));
}

/** Whether a broadcast with this content is taken for one without a link to unsubscribe. */
const lacksLink = async (content: string) =>
	(await hintsOf([content], broadcast, 'everyone')).length > 0;

describe('A hint about a broadcast without a link to unsubscribe', () => {
	it.each([
		'<a\nclass="x">',
		'http://a.example',
		'https://a.example',
		'mailto:a',
		'{link}',
		'[link]',
		'%link%',
		'|link|',
	])('is not given if a word for it stands beside %j', async (link) => {
		expect(await lacksLink(`${link} unsubscribe`)).toBe(false);
	});

	it.each([
		...['Unsubscribe', 'opt out', 'opt-out', 'Preferences', 'abmelden', 'abbestellen', 'austragen'],
		...['désabonner', 'désinscrire', 'desinscrever', 'darse de baja', 'cancelar'],
		...['desuscribirse', 'disiscriviti', 'annulla', 'descadastrar', 'uitschrijven', 'afmelden'],
		...['avmeld', 'avregistrera', 'avprenumerera', 'odhlásit', 'wypisz', 'rezygnuję'],
		...['leiratkozás', 'dezabonare', 'abonelikten', 'berhenti', 'hủy', 'отписаться', 'відписатися'],
		...['απεγγραφή', 'διαγραφή', 'إلغاء', 'הסר', 'सदस्यता', '退订', '退訂', '取消', '停止', '解除'],
		...['거부', '취소'],
	])('knows the word %s', async (word) => {
		expect(await lacksLink(`https://a.example ${word}`)).toBe(false);
	});
});
