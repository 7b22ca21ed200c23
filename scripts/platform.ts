/** How npm start is run with variables in the shell of this machine. */
export function startWith(
	variables: Record<string, string | number>,
	platform = process.platform,
): string {
	const all = Object.entries(variables);
	// In PowerShell, the standard shell of Windows.
	return platform === 'win32'
		? [...all.map(([name, value]) => `$env:${name}='${value}'`), 'npm start'].join('; ')
		: [...all.map(([name, value]) => `${name}=${value}`), 'npm start'].join(' ');
}

/** A command that posts JSON, for the shell of this machine. In PowerShell, `curl` is another program. */
export function postCommand(url: string, json: string, platform = process.platform): string {
	return platform === 'win32'
		? `Invoke-RestMethod -Method Post -Uri ${url} -ContentType application/json -Body '${json}'`
		: `curl -X POST ${url} -H 'content-type: application/json' -d '${json}'`;
}
