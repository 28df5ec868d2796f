/** A game of Snow Time with the models of openapi-generator. */

import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import kotlinx.serialization.KSerializer
import kotlinx.serialization.json.Json
import org.openapitools.client.models.*

val players = mapOf("red" to "anna", "blue" to "bob", "green" to "cleo")
val levels =
    listOf(
        SnowTimeSuggestRequest.HintLevel.card,
        SnowTimeSuggestRequest.HintLevel.shortlist,
        SnowTimeSuggestRequest.HintLevel.nudge,
    )
val json = Json { ignoreUnknownKeys = true }
val http: HttpClient = HttpClient.newHttpClient()
lateinit var url: String

fun <In, Out> post(path: String, body: In, input: KSerializer<In>, output: KSerializer<Out>): Out {
    val request =
        HttpRequest.newBuilder(URI("$url/v1/games/$path"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(json.encodeToString(input, body)))
            .build()
    val response = http.send(request, HttpResponse.BodyHandlers.ofString())
    check(response.statusCode() == 200) { response.body() }
    return json.decodeFromString(output, response.body())
}

fun legalMoves(state: SnowTimeState, revealed: Map<String, SnowTimeMove>? = null) =
    post(
        "snow-time/legal-moves",
        SnowTimeLegalMovesRequest(state, revealed),
        SnowTimeLegalMovesRequest.serializer(),
        SnowTimeLegalMovesResponse.serializer(),
    )

fun playGame(): String {
    val hints = mutableMapOf("card" to 0, "shortlist" to 0, "nudge" to 0)
    var rounds = 0
    var strikeLevels = 0
    val seats = players.map { (seat, player) -> SnowTimeNewSeat(seat, player) }
    var state =
        post(
            "snow-time/new",
            SnowTimeNewRequest(seats),
            SnowTimeNewRequest.serializer(),
            SnowTimeNewResponse.serializer(),
        ).state
    while (true) {
        val seed = rounds + (1L shl 40)
        state =
            post(
                "snow-time/grow",
                SnowTimeGrowRequest(state, seed = seed),
                SnowTimeGrowRequest.serializer(),
                SnowTimeGrowResponse.serializer(),
            ).state
        val moves = mutableMapOf<String, SnowTimeMove>()
        for ((index, entry) in players.entries.withIndex()) {
            val (seat, player) = entry
            val request =
                SnowTimeSuggestRequest(
                    state,
                    player,
                    effort = Effort.quick,
                    hintLevel = levels[(index + rounds) % 3],
                    nonce = "$seed",
                )
            val hint =
                post(
                    "snow-time/suggest",
                    request,
                    SnowTimeSuggestRequest.serializer(),
                    SnowTimeSuggestResponse.serializer(),
                )
            when (hint) {
                is SnowTimeSuggestResponse.CardWrapper -> {
                    hints.merge("card", hint.value.moves.size, Int::plus)
                    moves[seat] = hint.value.pick.getValue(seat)
                }
                is SnowTimeSuggestResponse.ShortlistWrapper -> {
                    hints.merge("shortlist", hint.value.shortlist.size, Int::plus)
                    moves[seat] = hint.value.shortlist.first().getValue(seat)
                }
                is SnowTimeSuggestResponse.NudgeWrapper -> {
                    hints.merge("nudge", hint.value.nudges.size, Int::plus)
                    moves[seat] = legalMoves(state).moves.getValue(seat).first()
                }
            }
        }
        do {
            val legal = legalMoves(state, moves)
            legal.moves.forEach { (seat, choices) -> moves[seat] = choices.last() }
        } while (legal.decision != SnowTimeLegalMovesResponse.Decision.none)
        val resolved =
            post(
                "snow-time/resolve",
                SnowTimeResolveRequest(state, moves),
                SnowTimeResolveRequest.serializer(),
                SnowTimeResolveResponse.serializer(),
            )
        for (event in resolved.events) {
            if (event is SnowTimeEvent.StrikeWrapper) strikeLevels += event.value.level
        }
        state = resolved.state
        rounds += 1
        if (resolved.gameOver) {
            val counts = hints.entries.joinToString { (level, count) -> "\"$level\": $count" }
            val winners = resolved.winners.joinToString { "\"$it\"" }
            return "\"rounds\": $rounds, \"hints\": {$counts}, " +
                "\"strikeLevels\": $strikeLevels, \"winners\": [$winners]"
        }
    }
}

fun main(arguments: Array<String>) {
    url = arguments.first()
    println("{${playGame()}}")
}
