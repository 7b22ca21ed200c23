import { useAccess } from '../useAccess';

/** What to enter in n8n, under the labels of its credential form. */
export function TestCredentials() {
	const access = useAccess();
	if (!access) return null;
	const { urls, brands, tokens } = access;
	return (
		<section aria-labelledby="credentials-title">
			<h2 id="credentials-title">Test credentials</h2>
			<p class="muted">For the credential in n8n. They work in this sandbox only.</p>
			<dl class="access">
				{brands.flatMap(({ brandId, apiKey }) => [
					<Entry key={brandId} name="Brand ID" value={brandId} />,
					<Entry key={apiKey} name="API Key" value={apiKey} />,
				])}
				{tokens.map((token) => (
					<Entry key={token} name="Access Token" value={token} />
				))}
				<Entry name="User and Event API URL" value={urls.baseUrl} />
				<Entry name="Push API URL" value={urls.pushUrl} />
				<Entry name="Email and SMS API URL" value={urls.mailUrl} />
			</dl>
		</section>
	);
}

function Entry({ name, value }: { name: string; value: string }) {
	return (
		<div>
			<dt>{name}</dt>
			<dd>{value}</dd>
		</div>
	);
}
